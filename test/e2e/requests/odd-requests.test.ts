import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../../../scripts/services/free-port.ts";
import { sendRawAndDisconnect, sendRaw, type RawResponse } from "../../support/product/raw-http.ts";
import { generateTrades, saveRecording } from "../../support/product/generated-recording.ts";
import {
  makeDataDir,
  removeDataDir,
  startProduct,
  type StartedProduct,
} from "../../support/product/started-product.ts";

/*
 * Requests that no client library sends. A request that HTTP allows reaches the Worker and gets the envelope.
 * The server in front answers a request that is not valid HTTP or exceeds its limits, in plain text and
 * without a request id, because it cannot forward such a request. Locally that server is workerd's, with
 * wrangler's proxy behind it; deployed, it is Cloudflare's edge.
 */
/** A public endpoint, so that the requests of this file do not use up a user's rate limit. */
const PLAIN = "/api/v1/coverage";
const OVERSIZED = 1_048_577;
const INSIDES = /<html|<!doctype|\.[cm]?[tj]s:\d+|^\s+at \S|node_modules/im;

let dir: string;
let port: number;
let product: StartedProduct;

beforeAll(async () => {
  dir = await makeDataDir();
  port = await freePort();
  await mkdir(join(dir, "recording"));
  await saveRecording(join(dir, "recording"), generateTrades(20, 2));
  product = await startProduct(join(dir, "product"), [
    ...["--source", "replay", join(dir, "recording"), "--port", String(port)],
  ]);
});

afterAll(async () => {
  await product?.stop();
  await removeDataDir(dir);
});

afterEach(async () => {
  const { status, text } = await product.get(PLAIN);
  if (status !== 200) throw new Error(`the product no longer serves requests: ${status} ${text}`);
});

interface RawRequest {
  readonly method?: string;
  readonly target?: string;
  readonly version?: string;
  readonly headers?: readonly string[];
  readonly body?: string | Uint8Array;
}

/** Sends a request with the printed key and the given parts exactly as they are. */
function send({ method = "GET", target = PLAIN, version = "HTTP/1.1", headers = [], body = "" }: RawRequest) {
  const own = [`Host: 127.0.0.1:${port}`, "Connection: close", `Authorization: Bearer ${product.facts.api_key}`];
  const overridden = new Set(headers.map(nameOf));
  const lines = [`${method} ${target} ${version}`, ...own.filter((line) => !overridden.has(nameOf(line))), ...headers];
  return sendRaw(port, `${lines.join("\r\n")}\r\n\r\n`, body);
}

const nameOf = (line: string) => line.split(":")[0]?.toLowerCase();

function expectEnvelope(answer: RawResponse | null, status: number, reason: string | null): void {
  expect(answer?.text).not.toMatch(INSIDES);
  expect({ status: answer?.status, reason: answer?.body?.error?.reason ?? null }).toEqual({ status, reason });
  expect(answer?.headers.get("content-type")).toMatch(/^application\/json\b/);
  expect(answer?.body.object === "error").toBe(status >= 400);
  expect(answer?.body.meta.request_id).toMatch(/^req_\w+$/);
  expect(answer?.headers.get("x-request-id")).toBe(answer?.body.meta.request_id);
}

/** The server in front responded, or closed the connection without a response where `status` is null. */
function expectAnsweredInFront(answer: RawResponse | null, status: number | null): void {
  expect(answer?.text ?? "").not.toMatch(INSIDES);
  expect(answer?.status ?? null).toBe(status);
  expect(answer?.headers.get("content-type") ?? "text/plain").toMatch(/^text\/plain\b/);
  expect(answer?.headers.has("x-request-id") ?? false).toBe(false);
}

function expectEnvelopeOrFront(answer: RawResponse | null, status: 200 | 405): void {
  if (answer?.headers.has("x-request-id")) expectEnvelope(answer, status, status === 200 ? null : "method_not_allowed");
  else expectAnsweredInFront(answer, answer?.status ?? null);
}

describe("methods that the endpoint does not support", () => {
  test.for(["PROPFIND", "TRACE", "SEARCH", "PURGE", "LOCK", "POST", "DELETE"])(
    "an endpoint that does not support %s returns 405 with Allow in the envelope",
    async (method) => {
      const answer = await send({ method });
      expectEnvelope(answer, 405, "method_not_allowed");
      expect(answer?.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    },
  );

  test("an unknown path returns 404 unknown_endpoint for an unsupported method", async () => {
    expectEnvelope(await send({ method: "PROPFIND", target: "/api/v1/nothing-here" }), 404, "unknown_endpoint");
  });
});

describe("methods that the Worker's runtime does not know", () => {
  test.for<[string, number]>([
    ["BREW", 501],
    ["M-SEARCH", 501],
    ["get", 501],
    ["X".repeat(5_000), 501],
    ["G@T", 400],
  ])("the unknown method %s returns %i from the server in front", async ([method, status]) =>
    expectAnsweredInFront(await send({ method }), status),
  );

  test("the server in front returns 500 for CONNECT, which requests a tunnel and no resource", async () => {
    expectAnsweredInFront(await send({ method: "CONNECT", target: "127.0.0.1:1" }), 500);
  });
});

describe("long and malformed headers", () => {
  test.for([8_000, 100_000, 400_000])("a request with a header of %i characters is served", async (length) => {
    expectEnvelope(await send({ headers: [`X-Long: ${"x".repeat(length)}`] }), 200, null);
  });

  test("a request with 3,000 headers is served", async () => {
    expectEnvelope(await send({ headers: Array.from({ length: 3_000 }, (_, index) => `X-H${index}: 1`) }), 200, null);
  });

  test.for(["Authorization: Bearer ", "If-None-Match: ", "X-Query-Validation: ", "Origin: ", "Cookie: "])(
    "a header value of 100,000 characters after %j is served, or returns 401 for a credential",
    async (start) => {
      const refused = start.startsWith("Authorization");
      const answer = await send({ target: "/api/v1/large-trades", headers: [start + "x".repeat(100_000)] });
      expectEnvelope(answer, refused ? 401 : 200, null);
    },
  );

  test("the server in front returns 431 for headers beyond 512 KB", async () => {
    expectAnsweredInFront(await send({ headers: [`X-Long: ${"x".repeat(600_000)}`] }), 431);
  });

  test.for([
    "nonsense",
    "X-A : b",
    ": b",
    " folded",
    "X-A: a\0b",
    "Content-Length: -1",
    "Content-Length: abc",
    "Transfer-Encoding: gzip",
  ])("the server in front returns 400 for the malformed header line %j", async (line) =>
    expectAnsweredInFront(await send({ headers: [line] }), 400),
  );

  test("the server in front returns 500 for two Host headers, from which no URL can be built", async () => {
    expectAnsweredInFront(await send({ headers: ["Host: a", "Host: b"] }), 500);
  });

  test("the server in front returns 400 for two Content-Length headers", async () => {
    expectAnsweredInFront(
      await send({ method: "POST", headers: ["Content-Length: 3", "Content-Length: 4"], body: "abcd" }),
      400,
    );
  });
});

describe("unusual request targets", () => {
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
  ])("a request for %s returns %i %s in the envelope", async ([target, status, reason]) =>
    expectEnvelope(await send({ target }), status, reason),
  );

  test("a path or query of 60,000 characters gets the same response as a short one", async () => {
    expectEnvelope(await send({ target: `/api/v1/${"x".repeat(60_000)}` }), 404, "unknown_endpoint");
    expectEnvelope(await send({ target: `/api/v1/large-trades?cursor=${"x".repeat(60_000)}` }), 400, "invalid_query");
  });

  test("a target in absolute form is served as the path in it", async () => {
    expectEnvelope(await send({ target: `http://127.0.0.1:${port}/api/v1/large-trades` }), 200, null);
    expectEnvelope(await send({ target: "http://elsewhere.test/api/v1/nothing-here" }), 404, "unknown_endpoint");
  });
});

describe("targets that cannot become a URL", () => {
  test.for<[string, string, number]>([
    ["a NUL", "/api/v1/trader/a\0b", 400],
    ["a blank", "/api/v1/large trades", 400],
    ["100,000 characters", `/api/v1/${"x".repeat(100_000)}`, 414],
    ["nothing but *", "*", 500],
  ])("the server in front refuses a target with %s", async ([, target, status]) =>
    expectAnsweredInFront(await send({ target }), status),
  );

  test("the server in front returns 400 for a target with bytes that are not UTF-8", async () => {
    const head = Buffer.from(
      `GET /api/v1/trader/\xff\xfe HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`,
      "latin1",
    );
    expectAnsweredInFront(await sendRaw(port, head), 400);
  });
});

describe("a body on a GET request", () => {
  const body = new Uint8Array(OVERSIZED).fill(0x78);
  const chunked = Buffer.concat([Buffer.from(`${OVERSIZED.toString(16)}\r\n`), body, Buffer.from("\r\n0\r\n\r\n")]);

  test.for<[string, RawRequest]>([
    ["with its length", { headers: [`Content-Length: ${OVERSIZED}`], body }],
    ["in chunks", { headers: ["Transfer-Encoding: chunked"], body: chunked }],
  ])("a body of 1,048,577 bytes %s does not change the response", async ([, sent]) => {
    expectEnvelope(await send(sent), 200, null);
    expectEnvelope(await send({ ...sent, method: "POST" }), 405, "method_not_allowed");
  });
});

// It depends on timing whether the Worker responds before the break is noticed. If it does not, wrangler's
// proxy returns 500 in plain text.
describe("broken request bodies", () => {
  const CHUNKED = "Transfer-Encoding: chunked";
  test.for<[string, string, string]>([
    ["a chunk without a size", CHUNKED, "zz\r\nhello\r\n0\r\n\r\n"],
    ["a chunk beyond all numbers", CHUNKED, "ffffffffffffffffffff\r\nhello\r\n0\r\n\r\n"],
    ["a chunk longer than its size", CHUNKED, "1\r\nhello\r\n0\r\n\r\n"],
    ["a truncated chunk", CHUNKED, "5\r\nhel"],
    ["no last chunk", CHUNKED, "5\r\nhello\r\n"],
  ])("a body with %s gets the envelope or a plain-text response of the server in front", async ([, header, body]) => {
    expectEnvelopeOrFront(await send({ headers: [header], body }), 200);
    expectEnvelopeOrFront(await send({ method: "POST", headers: [header], body }), 405);
  });

  test("a body with fewer bytes than announced gets the envelope or a plain-text response of the server in front", async () => {
    expectEnvelopeOrFront(await send({ method: "POST", headers: ["Content-Length: 10"], body: "abc" }), 405);
  });
});

test("requests after clients that disconnect in the middle of a request are served", async () => {
  const head = (line: string, headers: string) => `${line} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${headers}`;
  const beginnings = [
    "GET /api/v1/large",
    head("GET /api/v1", "X-Half: "),
    head("GET /api/v1", "Content-Length: 10\r\n\r\nabc"),
    head("POST /api/v1", "Transfer-Encoding: chunked\r\n\r\n5\r\nhel"),
    head("GET /api/v1/leaderboard?limit=100", `Authorization: Bearer ${product.facts.api_key}\r\n\r\n`),
  ];
  await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      sendRawAndDisconnect(port, beginnings[index % beginnings.length] ?? "", index),
    ),
  );
  expectEnvelope(await send({ target: "/api/v1/large-trades" }), 200, null);
});

describe("HTTP versions", () => {
  test("a request of HTTP/1.0 is served", async () => {
    expectEnvelope(await send({ version: "HTTP/1.0" }), 200, null);
  });

  test.for(["HTTP/2.0", "HTTP/3.7", "HTTP/x", "HTCPCP/1.0"])(
    "the server in front returns 400 for the version %s",
    async (version) => {
      expectAnsweredInFront(await send({ version }), 400);
    },
  );

  test.for<[string, string, number | null]>([
    ["0.9", "GET /api/v1\r\n\r\n", 400],
    ["1.1 without a host", "GET /api/v1 HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
    ["2 as its preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", null],
    ["none: a TLS greeting", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400],
  ])("the server in front refuses HTTP %s", async ([, bytes, status]) =>
    expectAnsweredInFront(await sendRaw(port, bytes), status),
  );
});

test("no unusual request ends a process or puts a stack trace into the output", () => {
  expect(product.output()).not.toMatch(INSIDES);
  expect(product.processes().map(({ command }) => command)).toContainEqual(expect.stringContaining("bin/workerd"));
});
