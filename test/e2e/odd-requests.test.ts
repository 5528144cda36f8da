import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../../scripts/services/free-port.ts";
import { abandonRaw, sendRaw, type RawAnswer } from "../support/raw-http.ts";
import { makeDataDir, removeDataDir, startProduct, type StartedProduct } from "../support/started-product.ts";

/*
 * What no client library sends. A request that HTTP itself allows reaches the Worker and gets the envelope. One that is no HTTP, or goes
 * over what the server in front takes, is answered by that server, in plain text and without a request id, because nothing of it can be
 * handed on. Locally that server is workerd's, with wrangler's proxy behind it; deployed, it is Cloudflare's edge.
 */
/** Public, so that the requests of this file do not use up a user's minute. */
const PLAIN = "/api/v1/coverage";
const OVERSIZED = 1_048_577;
const INSIDES = /<html|<!doctype|\.[cm]?[tj]s:\d+|^\s+at \S|node_modules/im;

let dataDir: string;
let port: number;
let product: StartedProduct;

beforeAll(async () => {
  dataDir = await makeDataDir();
  port = await freePort();
  product = await startProduct(dataDir, ["--source", "simulate", "--seed", "1", "--port", String(port)]);
});

afterAll(async () => {
  await product?.stop();
  await removeDataDir(dataDir);
});

afterEach(async () => {
  const { status, text } = await product.get(PLAIN);
  if (status !== 200) throw new Error(`the product does not go on serving: ${status} ${text}`);
});

interface Sent {
  readonly method?: string;
  readonly target?: string;
  readonly version?: string;
  readonly headers?: readonly string[];
  readonly body?: string | Uint8Array;
}

/** Sends a request with the printed key, these parts of it as they are. */
function send({ method = "GET", target = PLAIN, version = "HTTP/1.1", headers = [], body = "" }: Sent) {
  const own = [`Host: 127.0.0.1:${port}`, "Connection: close", `Authorization: Bearer ${product.facts.api_key}`];
  const overridden = new Set(headers.map(nameOf));
  const lines = [`${method} ${target} ${version}`, ...own.filter((line) => !overridden.has(nameOf(line))), ...headers];
  return sendRaw(port, `${lines.join("\r\n")}\r\n\r\n`, body);
}

const nameOf = (line: string) => line.split(":")[0]?.toLowerCase();

function expectEnvelope(answer: RawAnswer | null, status: number, reason: string | null): void {
  expect(answer?.text).not.toMatch(INSIDES);
  expect({ status: answer?.status, reason: answer?.body?.error?.reason ?? null }).toEqual({ status, reason });
  expect(answer?.headers.get("content-type")).toMatch(/^application\/json\b/);
  expect(answer?.body.object === "error").toBe(status >= 400);
  expect(answer?.body.meta.request_id).toMatch(/^req_\w+$/);
  expect(answer?.headers.get("x-request-id")).toBe(answer?.body.meta.request_id);
}

/** The server in front has answered, or closed the connection without a word where `status` is null. */
function expectAnsweredInFront(answer: RawAnswer | null, status: number | null): void {
  expect(answer?.text ?? "").not.toMatch(INSIDES);
  expect(answer?.status ?? null).toBe(status);
  expect(answer?.headers.get("content-type") ?? "text/plain").toMatch(/^text\/plain\b/);
  expect(answer?.headers.has("x-request-id") ?? false).toBe(false);
}

function expectEnvelopeOrFront(answer: RawAnswer | null, status: 200 | 405): void {
  if (answer?.headers.has("x-request-id")) expectEnvelope(answer, status, status === 200 ? null : "method_not_allowed");
  else expectAnsweredInFront(answer, answer?.status ?? null);
}

describe("a method that HTTP knows and the endpoint does not is 405 in the envelope, with Allow", () => {
  test.for(["PROPFIND", "TRACE", "SEARCH", "PURGE", "LOCK", "POST", "DELETE"])("%s", async (method) => {
    const answer = await send({ method });
    expectEnvelope(answer, 405, "method_not_allowed");
    expect(answer?.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
  });

  test("and 404 where there is no endpoint", async () => {
    expectEnvelope(await send({ method: "PROPFIND", target: "/api/v1/nothing-here" }), 404, "unknown_endpoint");
  });
});

describe("a method that the Worker's runtime has no name for ends in front:", () => {
  test.for<[string, number]>([
    ["BREW", 501],
    ["M-SEARCH", 501],
    ["get", 501],
    ["X".repeat(5_000), 501],
    ["G@T", 400],
  ])("%s is %i", async ([method, status]) => expectAnsweredInFront(await send({ method }), status));

  test("CONNECT too, which asks for a tunnel and no resource", async () => {
    expectAnsweredInFront(await send({ method: "CONNECT", target: "127.0.0.1:1" }), 500);
  });
});

describe("headers are served as long as the server takes them:", () => {
  test.for([8_000, 100_000, 400_000])("one of %i characters", async (length) => {
    expectEnvelope(await send({ headers: [`X-Long: ${"x".repeat(length)}`] }), 200, null);
  });

  test("3,000 of them", async () => {
    expectEnvelope(await send({ headers: Array.from({ length: 3_000 }, (_, index) => `X-H${index}: 1`) }), 200, null);
  });

  test.for(["Authorization: Bearer ", "If-None-Match: ", "X-Query-Validation: ", "Origin: ", "Cookie: "])(
    "100,000 characters behind %j",
    async (start) => {
      const refused = start.startsWith("Authorization");
      const answer = await send({ target: "/api/v1/large-trades", headers: [start + "x".repeat(100_000)] });
      expectEnvelope(answer, refused ? 401 : 200, null);
    },
  );

  test("beyond 512 KB the server in front says 431", async () => {
    expectAnsweredInFront(await send({ headers: [`X-Long: ${"x".repeat(600_000)}`] }), 431);
  });

  test.for(["nonsense", "X-A : b", ": b", " folded", "X-A: a\0b", "Content-Length: -1", "Content-Length: abc", "Transfer-Encoding: gzip"])(
    "but not %j, which is no HTTP: 400 in front",
    async (line) => expectAnsweredInFront(await send({ headers: [line] }), 400),
  );

  test("nor two hosts, of which no URL can be made: 500 in front", async () => {
    expectAnsweredInFront(await send({ headers: ["Host: a", "Host: b"] }), 500);
  });

  test("nor two lengths: 400 in front", async () => {
    expectAnsweredInFront(await send({ method: "POST", headers: ["Content-Length: 3", "Content-Length: 4"], body: "abcd" }), 400);
  });
});

describe("a target is answered in the envelope:", () => {
  test.for<[string, number, string | null]>([
    ["/api/v1/trader/%", 400, "invalid_path"],
    ["/api/v1/trader/%zz", 400, "invalid_path"],
    ["/api/v1/trader/%E0%A4%A", 400, "invalid_path"],
    ["/api/v1/trader/%ED%A0%80", 400, "invalid_path"],
    ["/api/v1/trader/%00", 400, "invalid_path"],
    ["/api/v1/large-trades/1%00", 400, "invalid_path"],
    ["/api/v1/%", 404, "unknown_endpoint"],
    ["/api/v1/%00", 404, "unknown_endpoint"],
    ["/api/v1/trader/é", 404, null],
    ["/api/v1/large-trades?limit=%zz", 400, "invalid_query"],
    ["/api/v1/large-trades?limit=%", 400, "invalid_query"],
    ["/api/v1/large-trades?category=%00", 400, "invalid_query"],
    ["/api/v1/large-trades?limit=1&limit=1", 400, "invalid_query"],
    ["/api/v1/large-trades?limit=1&lim%69t=2", 400, "invalid_query"],
    ["/api/v1/large-trades?cursor=a&cursor=b", 400, "invalid_query"],
    ["/api/v1/large-trades?limit=1&%zz=%zz&x=1&x=2&=&&", 200, null],
    ["/api/v1/large-trades?", 200, null],
    ["/api/v1/../v1/./large-trades", 200, null],
    ["/api/v1/%2e%2e/%2e%2e/etc/passwd", 404, "unknown_endpoint"],
    ["//api/v1//large-trades", 404, "unknown_endpoint"],
    ["/api/v1%2Flarge-trades", 404, "unknown_endpoint"],
    ["/api/v1/large-trades/", 404, "unknown_endpoint"],
  ])("%s is %i %s", async ([target, status, reason]) => expectEnvelope(await send({ target }), status, reason));

  test("60,000 characters of path or query like a few", async () => {
    expectEnvelope(await send({ target: `/api/v1/${"x".repeat(60_000)}` }), 404, "unknown_endpoint");
    expectEnvelope(await send({ target: `/api/v1/large-trades?cursor=${"x".repeat(60_000)}` }), 400, "invalid_query");
  });

  test("in absolute form as the path in it", async () => {
    expectEnvelope(await send({ target: `http://127.0.0.1:${port}/api/v1/large-trades` }), 200, null);
    expectEnvelope(await send({ target: "http://elsewhere.test/api/v1/nothing-here" }), 404, "unknown_endpoint");
  });
});

describe("a target that cannot become a URL ends in front:", () => {
  test.for<[string, string, number]>([
    ["a NUL", "/api/v1/trader/a\0b", 400],
    ["a blank", "/api/v1/large trades", 400],
    ["100,000 characters", `/api/v1/${"x".repeat(100_000)}`, 414],
    ["nothing but *", "*", 500],
  ])("%s", async ([, target, status]) => expectAnsweredInFront(await send({ target }), status));

  test("bytes that are no UTF-8", async () => {
    const head = Buffer.from(`GET /api/v1/trader/\xff\xfe HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`, "latin1");
    expectAnsweredInFront(await sendRaw(port, head), 400);
  });
});

describe("a body that no GET asks for", () => {
  const body = new Uint8Array(OVERSIZED).fill(0x78);
  const chunked = Buffer.concat([Buffer.from(`${OVERSIZED.toString(16)}\r\n`), body, Buffer.from("\r\n0\r\n\r\n")]);

  test.for<[string, Sent]>([
    ["with its length", { headers: [`Content-Length: ${OVERSIZED}`], body }],
    ["in chunks", { headers: ["Transfer-Encoding: chunked"], body: chunked }],
  ])("of 1,048,577 bytes %s changes nothing", async ([, sent]) => {
    expectEnvelope(await send(sent), 200, null);
    expectEnvelope(await send({ ...sent, method: "POST" }), 405, "method_not_allowed");
  });
});

// Whether the Worker has answered before the break is noticed is a matter of time; wrangler's proxy says 500 in plain text when it has not.
describe("a body that breaks gets the envelope, or the server in front gives up:", () => {
  const CHUNKED = "Transfer-Encoding: chunked";
  test.for<[string, string, string]>([
    ["a chunk without a size", CHUNKED, "zz\r\nhello\r\n0\r\n\r\n"],
    ["a chunk beyond all numbers", CHUNKED, "ffffffffffffffffffff\r\nhello\r\n0\r\n\r\n"],
    ["a chunk longer than its size", CHUNKED, "1\r\nhello\r\n0\r\n\r\n"],
    ["a chunk that is cut off", CHUNKED, "5\r\nhel"],
    ["no last chunk", CHUNKED, "5\r\nhello\r\n"],
  ])("%s", async ([, header, body]) => {
    expectEnvelopeOrFront(await send({ headers: [header], body }), 200);
    expectEnvelopeOrFront(await send({ method: "POST", headers: [header], body }), 405);
  });

  test("fewer bytes than announced", async () => {
    expectEnvelopeOrFront(await send({ method: "POST", headers: ["Content-Length: 10"], body: "abc" }), 405);
  });
});

test("clients that leave in the middle of a request take nothing with them", async () => {
  const head = (line: string, headers: string) => `${line} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${headers}`;
  const beginnings = [
    "GET /api/v1/large",
    head("GET /api/v1", "X-Half: "),
    head("GET /api/v1", "Content-Length: 10\r\n\r\nabc"),
    head("POST /api/v1", "Transfer-Encoding: chunked\r\n\r\n5\r\nhel"),
    head("GET /api/v1/leaderboard?limit=100", `Authorization: Bearer ${product.facts.api_key}\r\n\r\n`),
  ];
  await Promise.all(Array.from({ length: 50 }, (_, index) => abandonRaw(port, beginnings[index % beginnings.length] ?? "", index)));
  expectEnvelope(await send({ target: "/api/v1/large-trades" }), 200, null);
});

describe("a version of HTTP", () => {
  test("1.0 is served", async () => {
    expectEnvelope(await send({ version: "HTTP/1.0" }), 200, null);
  });

  test.for(["HTTP/2.0", "HTTP/3.7", "HTTP/x", "HTCPCP/1.0"])("%s ends in front", async (version) => {
    expectAnsweredInFront(await send({ version }), 400);
  });

  test.for<[string, string, number | null]>([
    ["0.9", "GET /api/v1\r\n\r\n", 400],
    ["1.1 without a host", "GET /api/v1 HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
    ["2 as its preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", null],
    ["none: a TLS greeting", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400],
  ])("%s ends in front", async ([, bytes, status]) => expectAnsweredInFront(await sendRaw(port, bytes), status));
});

test("nothing of all this has ended a process or put a stack trace into its output", () => {
  expect(product.output()).not.toMatch(INSIDES);
  expect(product.processes().map(({ command }) => command)).toContainEqual(expect.stringContaining("bin/workerd"));
});
