import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { unstable_readConfig as readConfig } from "wrangler";
import { locationOf, parseConfig } from "../../src/config.ts";
import { TEST_VARIABLES } from "../support/api/test-variables.ts";

const MAIL = {
  MAIL_ENDPOINT: "https://api.resend.com/emails",
  MAIL_TOKEN: "re_token",
  MAIL_FROM: "Service <codes@example.test>",
};

/** The variables for which a configuration is refused, each with its message. */
function refusalOf(env: object): Record<string, string> {
  try {
    parseConfig(env);
  } catch (error: any) {
    return Object.fromEntries(error.issues.map(({ path, message }: any) => [path.join(), message]));
  }
  return {};
}

test("a mail service is configured by three variables or not at all", () => {
  expect(parseConfig({ ...TEST_VARIABLES, ...MAIL }).mail).toEqual({
    endpoint: "https://api.resend.com/emails",
    token: "re_token",
    from: "Service <codes@example.test>",
  });
  expect(parseConfig(TEST_VARIABLES).mail).toBeNull();
});

test.for<[string[], string[]]>([
  [["MAIL_ENDPOINT"], ["MAIL_TOKEN", "MAIL_FROM"]],
  [["MAIL_TOKEN"], ["MAIL_ENDPOINT", "MAIL_FROM"]],
  [["MAIL_FROM"], ["MAIL_ENDPOINT", "MAIL_TOKEN"]],
  [["MAIL_ENDPOINT", "MAIL_TOKEN"], ["MAIL_FROM"]],
  [["MAIL_ENDPOINT", "MAIL_FROM"], ["MAIL_TOKEN"]],
  [["MAIL_TOKEN", "MAIL_FROM"], ["MAIL_ENDPOINT"]],
])("a mail service with only %j is refused with the names of the missing variables", ([given, missing]) => {
  const part = Object.fromEntries(Object.entries(MAIL).filter(([name]) => given.includes(name)));
  const message = (name: string) =>
    `${name} is missing: set MAIL_ENDPOINT, MAIL_TOKEN, MAIL_FROM together, or none of them`;
  expect(refusalOf({ ...TEST_VARIABLES, ...part })).toEqual(
    Object.fromEntries(missing.map((name) => [name, message(name)])),
  );
});

test.for([
  ["MAIL_ENDPOINT", ""],
  ["MAIL_ENDPOINT", "api.resend.com"],
  ["MAIL_ENDPOINT", "mailto:codes@example.test"],
  ["MAIL_TOKEN", ""],
  ["MAIL_TOKEN", "re_\ntoken"],
  ["MAIL_TOKEN", "tökën"],
  ["MAIL_FROM", ""],
  ["MAIL_FROM", "Service"],
  ["MAIL_FROM", "codes@example.test\r\nBcc: all@example.test"],
] as const)("%s refuses %j with a message that does not repeat the value", ([name, value]) => {
  const refused = refusalOf({ ...TEST_VARIABLES, ...MAIL, [name]: value });
  expect(Object.keys(refused)).toEqual([name]);
  expect(refused[name]).not.toContain(value || "nothing");
});

const RELAY = {
  PROVIDER_RELAY_URL: "https://relay.example.test",
  PROVIDER_RELAY_TOKEN: "a-relay-token-of-32-characters-or-more",
};

test("a relay is configured by its URL and its token, or not at all", () => {
  const { PROVIDER_RELAY_URL, PROVIDER_RELAY_TOKEN } = RELAY;
  expect(parseConfig(TEST_VARIABLES).provider.relay).toBeNull();
  expect(parseConfig({ ...TEST_VARIABLES, ...RELAY }).provider.relay).toEqual({
    url: PROVIDER_RELAY_URL,
    token: PROVIDER_RELAY_TOKEN,
  });
  const missing = (name: string) => ({
    [name]: `${name} is missing: set PROVIDER_RELAY_URL, PROVIDER_RELAY_TOKEN together, or none of them`,
  });
  expect(refusalOf({ ...TEST_VARIABLES, PROVIDER_RELAY_URL })).toEqual(missing("PROVIDER_RELAY_TOKEN"));
  expect(refusalOf({ ...TEST_VARIABLES, PROVIDER_RELAY_TOKEN })).toEqual(missing("PROVIDER_RELAY_URL"));
});

test.for([
  "",
  "a-relay-token-of-31-characters.",
  "a relay token of 32 characters or more",
  "tökën-of-32-characters-or-even-more",
])("PROVIDER_RELAY_TOKEN refuses %j without repeating it", (token) => {
  const refused = refusalOf({ ...TEST_VARIABLES, ...RELAY, PROVIDER_RELAY_TOKEN: token });
  expect(Object.keys(refused)).toEqual(["PROVIDER_RELAY_TOKEN"]);
  expect(refused["PROVIDER_RELAY_TOKEN"]).not.toContain(token || "nothing");
});

const ICEBERG = {
  ICEBERG_CATALOG_URI: "https://catalog.example.test/account/archive",
  ICEBERG_WAREHOUSE: "account_archive",
  ICEBERG_TOKEN: "token",
};

const OUTBOUND = [
  ...[
    "PROVIDER_GAMMA_URL",
    "PROVIDER_DATA_URL",
    "PROVIDER_CLOB_URL",
    "UPSTASH_REDIS_REST_URL",
    "NEON_HTTP_ENDPOINT",
    "MAIL_ENDPOINT",
    "ICEBERG_CATALOG_URI",
    "PROVIDER_RELAY_URL",
    "CHAIN_RPC_URL",
  ],
  ...["DNS_QUERY_URL", "PROVIDER_TRADES_SOCKET_URL", "PROVIDER_SPORTS_SOCKET_URL"],
];

describe.for(OUTBOUND)("%s", (name) => {
  const [plain, secure] = name.includes("SOCKET") ? ["ws", "wss"] : ["http", "https"];
  const given = (url: string) => ({ ...TEST_VARIABLES, ...MAIL, ...ICEBERG, ...RELAY, [name]: url });

  test.for(["service.example", "10.0.0.1", "127.0.0.1.example.com", "localhost.example.com", "[2001:db8::1]"])(
    `${name} is refused without encryption at %s, in a sentence that names it`,
    (host) => {
      expect(refusalOf(given(`${plain}://${host}/path`))).toEqual({
        [name]: `${name} must use ${secure}. ${plain} is allowed for loopback hosts only`,
      });
    },
  );

  test.for(["localhost:8080", "127.0.0.1:8080", "[::1]:8080"])(
    `${name} may be unencrypted at %s, and encrypted anywhere`,
    (host) => {
      expect(refusalOf(given(`${plain}://${host}`))).toEqual({});
      expect(refusalOf(given(`${secure}://service.example`))).toEqual({});
    },
  );

  test.for(["ftp://service.example", "file:///etc/passwd", "javascript:alert(1)", "service.example"])(
    `${name} refuses %j`,
    (url) => {
      expect(Object.keys(refusalOf(given(url)))).toEqual([name]);
    },
  );
});

test("every URL variable except our own origins is in the list of tested outbound variables", () => {
  const { vars } = readConfig({ config: "wrangler.toml" });
  const urls = Object.keys(vars).filter((name) => /^\w+:\/\//.test(String(vars[name])));
  expect(urls.length).toBeGreaterThan(6);
  expect(urls.filter((name) => !OUTBOUND.includes(name))).toEqual(["API_BASE_URL", "WEB_BASE_URL", "SANDBOX_BASE_URL"]);
});

test("NEON_SOCKET_PROXY, which is reached without encryption, is only accepted on this machine", () => {
  expect(refusalOf({ ...TEST_VARIABLES, NEON_SOCKET_PROXY: "127.0.0.1:5433/v2" })).toEqual({});
  for (const proxy of ["proxy.example/v2", "10.0.0.1:5433/v2", "127.0.0.1@proxy.example/v2", " "]) {
    expect(refusalOf({ ...TEST_VARIABLES, NEON_SOCKET_PROXY: proxy })).toEqual({
      NEON_SOCKET_PROXY: "NEON_SOCKET_PROXY must be a loopback host: the connection is not encrypted",
    });
  }
});

const SECRETS = ["CREDENTIAL_SECRET", "CURSOR_SECRET", "SESSION_SECRET"] as const;

test.for(SECRETS)("%s needs at least 32 characters, and the refusal does not repeat its value", (name) => {
  const { [name]: _left, ...without } = TEST_VARIABLES;
  expect(refusalOf(without)).toEqual({ [name]: `${name} is missing` });
  const short = "a-secret-of-31-characters-or-so";
  expect(refusalOf({ ...TEST_VARIABLES, [name]: short })).toEqual({ [name]: `${name} is shorter than 32 characters` });
  expect(refusalOf({ ...TEST_VARIABLES, [name]: `${short}!` })).toEqual({});
});

test.for([
  ["CREDENTIAL_SECRET", "CURSOR_SECRET"],
  ["CREDENTIAL_SECRET", "SESSION_SECRET"],
  ["CURSOR_SECRET", "SESSION_SECRET"],
] as const)("%s and %s must differ", ([one, other]) => {
  expect(refusalOf({ ...TEST_VARIABLES, [other]: TEST_VARIABLES[one] })).toEqual({
    [other]: `${other} equals ${one}: every secret needs its own value`,
  });
});

test("the archive's key is optional, and anything but an Ed25519 key in PKCS #8 is refused without repeating it", () => {
  const { ARCHIVE_SIGNING_KEY: key, ...without } = TEST_VARIABLES;
  expect(parseConfig(without).archiveSigningKey).toBeNull();
  expect(parseConfig({ ...without, ARCHIVE_SIGNING_KEY: "" }).archiveSigningKey).toBeNull();
  expect(parseConfig(TEST_VARIABLES).archiveSigningKey).toBe(key);
  for (const wrong of [key.slice(1), `${key}A`, key.replace("MC4C", "MC4D"), "a-secret-of-32-characters-or-more"])
    expect(refusalOf({ ...without, ARCHIVE_SIGNING_KEY: wrong })).toEqual({
      ARCHIVE_SIGNING_KEY: "ARCHIVE_SIGNING_KEY must be an Ed25519 key: PKCS #8 in DER, as base64url",
    });
});

test("the retention of the archive is a whole number of days, or none", () => {
  expect(parseConfig(TEST_VARIABLES).archiveRetentionDays).toBeNull();
  expect(parseConfig({ ...TEST_VARIABLES, ARCHIVE_RETENTION_DAYS: "" }).archiveRetentionDays).toBeNull();
  expect(parseConfig({ ...TEST_VARIABLES, ARCHIVE_RETENTION_DAYS: "90" }).archiveRetentionDays).toBe(90);
  for (const wrong of ["0", "-1", "1.5", "ninety", "100000"])
    expect(refusalOf({ ...TEST_VARIABLES, ARCHIVE_RETENTION_DAYS: wrong })).toEqual({
      ARCHIVE_RETENTION_DAYS: "ARCHIVE_RETENTION_DAYS must be a whole number of days, or empty to keep everything",
    });
});

test("a node of the chain is off without an address, and waits for 64 confirmations by default", () => {
  const given = (variables: Record<string, string>) => parseConfig({ ...TEST_VARIABLES, ...variables }).chain;
  const CHAIN_RPC_URL = "https://node.example.test/v2/key";
  expect(given({ CHAIN_CONFIRMATIONS: "100" })).toBeNull();
  expect(given({ CHAIN_RPC_URL })).toEqual({ rpcUrl: CHAIN_RPC_URL, confirmations: 64 });
  expect(given({ CHAIN_RPC_URL, CHAIN_CONFIRMATIONS: "100" })).toMatchObject({ confirmations: 100 });
  for (const few of ["0", "15", "1.5", "x"]) {
    const refused = refusalOf({ ...TEST_VARIABLES, CHAIN_RPC_URL, CHAIN_CONFIRMATIONS: few });
    expect(Object.keys(refused)).toEqual(["CHAIN_CONFIRMATIONS"]);
  }
});

test("an Iceberg catalog needs its address, warehouse and token together", () => {
  expect(parseConfig(TEST_VARIABLES).iceberg).toBeNull();
  const uri = "https://catalog.example.test/account/archive";
  expect(parseConfig({ ...TEST_VARIABLES, ...ICEBERG, ICEBERG_CATALOG_URI: `${uri}/` }).iceberg).toEqual({
    ...{ uri, warehouse: "account_archive", token: "token", bucket: "archive" },
  });
  for (const name of Object.keys(ICEBERG)) {
    const partial = Object.fromEntries(Object.entries(ICEBERG).filter(([other]) => other !== name));
    expect(refusalOf({ ...TEST_VARIABLES, ...partial })).toEqual({
      [name]: `${name} is missing: set ICEBERG_CATALOG_URI, ICEBERG_WAREHOUSE, ICEBERG_TOKEN together, or none of them`,
    });
  }
});

test("the deployed Worker has no URL that bypasses the zone's rules", () => {
  const toml = readFileSync(new URL("../../wrangler.toml", import.meta.url), "utf8");
  // The top of the file, above the first table, belongs to the Worker.
  const [top = ""] = toml.split(/^\[/m);
  expect(top).toMatch(/^workers_dev = false$/m);
  expect(top).toMatch(/^preview_urls = false$/m);
});

test.for(["codes@example.test", "Service <codes@example.test>", '"Dienst, e.V." <codes@example.test>'])(
  "MAIL_FROM may be %s",
  (from) => {
    expect(parseConfig({ ...TEST_VARIABLES, ...MAIL, MAIL_FROM: from }).mail?.from).toBe(from);
  },
);

test("webhook receivers on this machine are refused by default", () => {
  expect(parseConfig(TEST_VARIABLES).webhooks).toEqual({
    headerPrefix: "x-service",
    dnsQueryUrl: "https://cloudflare-dns.com/dns-query",
    allowLoopback: false,
    ownHosts: ["api.test", "web.test", "sandbox.test"],
  });
});

test("the product's own hosts are those of its URLs and of OWN_HOSTS", () => {
  const variables = {
    ...TEST_VARIABLES,
    API_BASE_URL: "http://localhost:8787/",
    OWN_HOSTS: "api.team.workers.dev,old.example.com",
  };
  expect(parseConfig(variables).webhooks.ownHosts).toEqual([
    "localhost:8787",
    "web.test",
    "sandbox.test",
    "api.team.workers.dev",
    "old.example.com",
  ]);
  for (const names of ["a b", "https://a.example", "a.example,", ",a.example", "A.example"]) {
    expect(Object.keys(refusalOf({ ...TEST_VARIABLES, OWN_HOSTS: names }))).toEqual(["OWN_HOSTS"]);
  }
});

test.for(["http://localhost:8787", "http://127.0.0.1:8787", "http://127.8.9.10", "http://[::1]:8787"])(
  "ALLOW_LOOPBACK_RECEIVERS is accepted while the API is at %s",
  (baseUrl) => {
    expect(
      parseConfig({ ...TEST_VARIABLES, API_BASE_URL: baseUrl, ALLOW_LOOPBACK_RECEIVERS: "true" }).webhooks
        .allowLoopback,
    ).toBe(true);
  },
);

test.for([
  "https://api.example.com",
  "http://api.test",
  "http://127.0.0.1.example.com",
  "http://localhost.example.com",
  "http://10.0.0.1",
])("ALLOW_LOOPBACK_RECEIVERS is refused while the API is at %s", (baseUrl) => {
  expect(refusalOf({ ...TEST_VARIABLES, API_BASE_URL: baseUrl, ALLOW_LOOPBACK_RECEIVERS: "true" })).toEqual({
    ALLOW_LOOPBACK_RECEIVERS:
      "ALLOW_LOOPBACK_RECEIVERS=true is for development only: API_BASE_URL must be a loopback host",
  });
});

test.for([
  ["HEADER_PREFIX", "service"],
  ["HEADER_PREFIX", "X-Service"],
  ["HEADER_PREFIX", "x-service:"],
  ["DNS_QUERY_URL", "cloudflare-dns.com"],
  ["ALLOW_LOOPBACK_RECEIVERS", "yes"],
  ["HEAVY_JOBS", "false"],
  ["HEAVY_JOBS", ""],
  ["MAINTENANCE", "true"],
] as const)("%s refuses %j", ([name, value]) => {
  expect(Object.keys(refusalOf({ ...TEST_VARIABLES, [name]: value }))).toEqual([name]);
});

test("the sandbox is at /sandbox of the API unless SANDBOX_BASE_URL names another place", () => {
  const { SANDBOX_BASE_URL: _, ...without } = TEST_VARIABLES;
  expect(parseConfig(without).sandboxBaseUrl).toBe("http://api.test/sandbox");
  expect(parseConfig({ ...without, SANDBOX_BASE_URL: "http://sandbox.test/" }).sandboxBaseUrl).toBe(
    "http://sandbox.test",
  );
});

test.for([
  "http://api.test",
  "http://web.test/",
  "http://api.test/api",
  "http://sandbox.test/files/x",
  "http://sandbox.test/?a=1",
  "http://sandbox.test/#a",
  "sandbox.test",
])("SANDBOX_BASE_URL refuses %s, which would not separate its requests from those of the API", (url) => {
  expect(Object.keys(refusalOf({ ...TEST_VARIABLES, SANDBOX_BASE_URL: url }))).toEqual(["SANDBOX_BASE_URL"]);
});

test("heavy jobs run and maintenance is off by default", () => {
  expect(parseConfig(TEST_VARIABLES)).toMatchObject({ heavyJobs: true, maintenance: false });
  expect(parseConfig({ ...TEST_VARIABLES, HEAVY_JOBS: "on", MAINTENANCE: "off" })).toMatchObject({
    heavyJobs: true,
    maintenance: false,
  });
  expect(parseConfig({ ...TEST_VARIABLES, HEAVY_JOBS: "off", MAINTENANCE: "on" })).toMatchObject({
    heavyJobs: false,
    maintenance: true,
  });
});

test("the deployed Worker cannot send requests to private addresses or to its own origins behind their front door", () => {
  const toml = readFileSync(new URL("../../wrangler.toml", import.meta.url), "utf8");
  expect(/^compatibility_flags = \[(.*)\]$/m.exec(toml)?.[1]?.split(/, */)).toContain('"global_fetch_strictly_public"');
});

test("REGION must be a region in which both databases exist, and decides where objects are created", () => {
  expect(parseConfig({ ...TEST_VARIABLES, REGION: "aws:eu-central-1" })).toBeDefined();
  expect(Object.keys(refusalOf({ ...TEST_VARIABLES, REGION: "eu-central-1" }))).toEqual(["REGION"]);
  expect(locationOf({ REGION: "aws:eu-central-1" })).toEqual({ locationHint: "weur" });
  expect(locationOf({ REGION: "aws:us-east-1" })).toEqual({ locationHint: "enam" });
  expect([locationOf({}), locationOf({ REGION: "toString" })]).toEqual([{}, {}]);
});

test("the stream's connections are shared by its shards", () => {
  expect(parseConfig(TEST_VARIABLES).stream).toEqual({ shards: 16, connectionsPerShard: 1_000 });
  const large = { STREAM_SHARDS: "100", STREAM_MAX_CONNECTIONS: "100000" };
  expect(parseConfig({ ...TEST_VARIABLES, ...large }).stream).toEqual({ shards: 100, connectionsPerShard: 1_000 });
});

test.for([
  ["STREAM_SHARDS", "0"],
  ["STREAM_SHARDS", "1.5"],
  ["STREAM_SHARDS", "1001"],
  ["STREAM_MAX_CONNECTIONS", "0"],
  ["STREAM_MAX_CONNECTIONS", "15"],
  ["STREAM_MAX_CONNECTIONS", "160001"],
] as const)("%s refuses %s", ([name, value]) => {
  expect(Object.keys(refusalOf({ ...TEST_VARIABLES, [name]: value }))).toEqual([name]);
});

test("LOG_SAMPLE_RATE is a part between 0 and 1, and 1 when it is not set", () => {
  expect(parseConfig(TEST_VARIABLES).logSampleRate).toBe(1);
  expect(parseConfig({ ...TEST_VARIABLES, LOG_SAMPLE_RATE: "0.01" }).logSampleRate).toBe(0.01);
  for (const rate of ["-0.1", "1.1", "some"])
    expect(Object.keys(refusalOf({ ...TEST_VARIABLES, LOG_SAMPLE_RATE: rate }))).toEqual(["LOG_SAMPLE_RATE"]);
});

test("earlier secrets are a list behind the current one, and may be empty", () => {
  const { CREDENTIAL_SECRET: credential, CURSOR_SECRET: cursor } = TEST_VARIABLES;
  expect(parseConfig({ ...TEST_VARIABLES, CURSOR_SECRET_PREVIOUS: "" })).toMatchObject({
    credentialKeys: { current: credential, previous: [] },
    cursorKeys: { current: cursor, previous: [] },
  });
  const earlier = ["an earlier secret of 32 characters or more", "a still earlier secret of 32 characters"];
  expect(
    parseConfig({ ...TEST_VARIABLES, CREDENTIAL_SECRET_PREVIOUS: earlier.join(",") }).credentialKeys.previous,
  ).toEqual(earlier);
});

test.each(["CREDENTIAL_SECRET_PREVIOUS", "CURSOR_SECRET_PREVIOUS"])(
  "%s is refused when it is short or repeated",
  (name) => {
    expect(Object.values(refusalOf({ ...TEST_VARIABLES, [name]: "too short" }))).toEqual([
      `${name} is shorter than 32 characters`,
    ]);
    expect(refusalOf({ ...TEST_VARIABLES, [name]: TEST_VARIABLES.SESSION_SECRET })).toEqual({
      [name]: `${name} equals SESSION_SECRET: every secret needs its own value`,
    });
    const twice = "an earlier secret of 32 characters or more";
    expect(refusalOf({ ...TEST_VARIABLES, [name]: `${twice},${twice}` })).toEqual({
      [name]: `${name} equals ${name}: every secret needs its own value`,
    });
  },
);
