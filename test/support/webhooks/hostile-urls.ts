/*
 * URLs to which nothing may be posted. They come from the notations that address parsers are known to accept,
 * not from the policy's code.
 */

/** One address of each kind of non-public network. */
const PRIVATE_V4 = [
  ...[
    "127.0.0.1",
    "127.8.9.10",
    "10.0.0.5",
    "172.16.0.1",
    "172.31.255.254",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
  ],
  ...[
    "0.0.0.0",
    "192.0.0.192",
    "192.0.2.1",
    "198.18.0.1",
    "203.0.113.9",
    "224.0.0.251",
    "255.255.255.255",
    "168.63.129.16",
  ],
];

const FULL_WIDTH = (text: string) => text.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
const CIRCLED = (text: string) =>
  text.replaceAll(/\d/g, (digit) => String.fromCodePoint(digit === "0" ? 0x24ea : 0x245f + Number(digit)));

/** All notations of one IPv4 address as a host. */
function notations(address: string): string[] {
  const parts = address.split(".").map(Number);
  const [a = 0, b = 0, c = 0, d = 0] = parts;
  const whole = parts.reduce((value, part) => value * 256 + part, 0);
  const hex = (value: number, width = 1) => value.toString(16).padStart(width, "0");
  const octal = (value: number, width = 1) => value.toString(8).padStart(width, "0");
  const pairs = [`${hex(a)}${hex(b, 2)}`, `${hex(c)}${hex(d, 2)}`];
  return [
    address,
    `${address}.`,
    String(whole),
    `${whole}.`,
    `0x${hex(whole, 8)}`,
    `0X${hex(whole, 8).toUpperCase()}`,
    `0${octal(whole, 11)}`,
    parts.map((part) => `0x${hex(part)}`).join("."),
    parts.map((part) => `0x${hex(part, 8)}`).join("."),
    parts.map((part) => `0${octal(part)}`).join("."),
    parts.map((part) => `0000${octal(part, 3)}`).join("."),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `0${octal(a)}.0x${hex(b)}.${c}.${d}`,
    FULL_WIDTH(address),
    CIRCLED(address),
    address.replaceAll(".", "。"),
    address.replaceAll(/\d/g, (digit) => `%3${digit}`),
    `[::ffff:${address}]`,
    `[::ffff:${pairs.join(":")}]`,
    `[0:0:0:0:0:ffff:${pairs.join(":")}]`,
    `[::${address}]`,
    `[::ffff:0:${address}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b:1::${address}]`,
    `[2002:${pairs.join(":")}::1]`,
    `[2001:0:4136:e378:8000:63bf:${hex(0xffff - (a * 256 + b))}:${hex(0xffff - (c * 256 + d))}]`,
    `[2600:1f18::5efe:${pairs.join(":")}]`,
  ];
}

const PRIVATE_V6 = [
  ...[
    "::",
    "::1",
    "0:0:0:0:0:0:0:1",
    "fe80::1",
    "febf::1",
    "fec0::1",
    "fc00::1",
    "fd00:ec2::254",
    "fdff:ffff::1",
    "ff02::1",
    "ff0e::1",
  ],
  ...[
    "100::1",
    "100:0:0:1::1",
    "2001:db8::1",
    "3fff::1",
    "5f00::1",
    "2001:2::1",
    "2001:10::1",
    "2001:20::1",
    "2620:4f:8000::1",
    "4000::1",
  ],
];

const NAMES = [
  ...[
    "localhost",
    "LOCALHOST",
    "localhost.",
    "a.localhost",
    "localhost.localdomain",
    "ｌｏｃａｌｈｏｓｔ",
    "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
    "loc%61lhost",
  ],
  ...[
    "printer",
    "router.",
    "intranet",
    "server.local",
    "db.internal",
    "metadata.google.internal",
    "metadata.google.internal.",
  ],
  ...[
    "files.corp",
    "nas.home",
    "nas.lan",
    "x.intranet",
    "x.private",
    "x.home.arpa",
    "1.0.0.127.in-addr.arpa",
    "hidden.onion",
    "x.alt",
  ],
  ...[
    "x.test",
    "x.example",
    "x.invalid",
    "a..example.com",
    ".example.com",
    "example.com..",
    "-a.example.com",
    "a-.example.com",
    "a_b.example.com",
  ],
  ...[
    `${"a".repeat(64)}.example.com`,
    `${"a.".repeat(127)}example.com`,
    "xn--zz-zz--.com",
    "xn--localhost-.com-",
    "1.2.3",
    "1.2.3.4.5",
  ],
  ...[
    "256.256.256.256",
    "1.2.3.256",
    "0x100000000",
    "99999999999",
    "08.8.8.8",
    "0x",
    "0x.0x.0",
    "1e3",
    "[::1",
    "::1",
    "[127.0.0.1]",
    "[::1%25eth0]",
    "[fe80::1%eth0]",
  ],
  ...["[1:2:3:4:5:6:7]", "[1::2::3]", "[12345::]", "[::ffff:1.2.3.256]", "[::ffff:01.2.3.4]", ""],
];

const REFUSED_WHATEVER_THE_HOST = [
  ...["http", "ftp", "ws", "wss", "file", "gopher", "javascript", "data", "blob", "httpss"].map(
    (scheme) => `${scheme}://hooks.example.com/in`,
  ),
  ...["user@", "user:password@", ":password@", "@", ":@", "hooks.example.com@", "a%40b@", "127.0.0.1:80@"].map(
    (userinfo) => `https://${userinfo}hooks.example.com/in`,
  ),
  ...[80, 81, 8080, 22, 25, 6379, 5432, 9200, 444, 44, 4430, 65_535, 0, 1].map(
    (port) => `https://hooks.example.com:${port}/in`,
  ),
  ...[
    "https://hooks.example.com:99999/",
    "https://hooks.example.com:-1/",
    "https://hooks.example.com:44 3/",
    "https://hooks.example.com:443x/",
  ],
  ...[
    "",
    " ",
    "hooks.example.com",
    "//hooks.example.com/in",
    "https:hooks.example.com",
    "https:/hooks.example.com",
    "https:///hooks.example.com",
    "https://",
    "https://?",
    "https://#",
  ],
  ...[
    " https://hooks.example.com",
    "https://hooks.example.com ",
    "https://hooks.example.com/a b",
    "https://hooks.exa\tmple.com",
    "https://hooks.exa\nmple.com",
    "https://hooks.example.com\r\nHost: x",
  ],
  ...[
    "https:\\\\hooks.example.com",
    "https://hooks.example.com\\@127.0.0.1/",
    "https://hooks.example.com\\.localhost/",
    "https://hooks\u00ad.example.com/",
    "https://hooks\u200b.example.com/",
  ],
  ...[
    "https://hooks.example.com\u0000.evil.test/",
    "https://hooks.exa\u202emple.com/",
    "https://hooks%00.example.com/",
    "https://hooks%2eexample%2ecom%2f@localhost/",
  ],
  ...[
    "https://127.0.0.1#@hooks.example.com/",
    "https://127.0.0.1?@hooks.example.com/",
    "https://[::1]:443@hooks.example.com/",
    `https://hooks.example.com/${"a".repeat(2048)}`,
  ],
];

/** Public addresses in notations on which address parsers disagree. */
const AMBIGUOUS = ["0x08080808", "134744072", "010.8.8.8", "8.8.2056", "0x8.0x8.0x8.0x8", "８.８.８.８", "%38.8.8.8"];

export const HOSTILE_URLS: readonly string[] = [
  ...PRIVATE_V4.flatMap(notations).map((host) => `https://${host}/in`),
  ...PRIVATE_V6.map((host) => `https://[${host}]/in`),
  ...NAMES.map((host) => `https://${host}/in`),
  ...AMBIGUOUS.map((host) => `https://${host}/in`),
  ...PRIVATE_V4.map((host) => `https://${host}:8443/in`),
  ...REFUSED_WHATEVER_THE_HOST,
];

/** Addresses to which names of hostile hosts resolve: each is refused, alone or beside a public address. */
export const HOSTILE_ADDRESSES: readonly string[] = [
  ...PRIVATE_V4,
  ...PRIVATE_V6,
  ...PRIVATE_V4.flatMap((address) => [`::ffff:${address}`, `::${address}`, `64:ff9b::${address}`]),
  ...[
    "0x7f000001",
    "2130706433",
    "127.1",
    "0177.0.0.1",
    "127.0.0.1.",
    " 8.8.8.8",
    "8.8.8.8 ",
    "8.8.8.8/32",
    "",
    "hooks.example.com",
    "fe80::1%eth0",
    "[2600::1]",
  ],
];
