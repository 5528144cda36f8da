import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ApiError, type Reason } from "../../../../src/api/errors.ts";
import { parseBody, readJsonBody } from "../../../../src/api/request/read-body.ts";
import { sized } from "../../../support/sized.ts";

const LIMIT = 1_048_576;
const encoder = new TextEncoder();

interface RequestBody {
  readonly body: string | Uint8Array | readonly Uint8Array[];
  readonly contentType?: string | null;
  readonly contentLength?: number;
}

/** A request with its body in one piece, or in these chunks without a length. */
function post({ body, contentType = "application/json", contentLength }: RequestBody): Request {
  const headers = new Headers();
  if (contentType !== null) headers.set("content-type", contentType);
  if (contentLength !== undefined) headers.set("content-length", String(contentLength));
  const chunks = typeof body === "string" ? [encoder.encode(body)] : body instanceof Uint8Array ? [body] : body;
  return streamed(headers, chunks).request;
}

function streamed(headers: Headers, chunks: readonly Uint8Array[]) {
  const left = [...chunks];
  const seen = { chunks: 0, cancelled: false };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = left.shift();
        if (chunk === undefined) return controller.close();
        seen.chunks++;
        controller.enqueue(chunk);
      },
      cancel() {
        seen.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  const init = { method: "POST", headers, body: stream, duplex: "half" };
  return { request: new Request("http://api.test/", init), seen };
}

/** Reason and parameter of a refused request, or the value of an accepted one. */
async function outcomeOf(
  work: () => unknown,
): Promise<{ reason: Reason; param: string | undefined } | { value: unknown }> {
  try {
    return { value: await work() };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { reason: error.reason, param: error.detail.param };
  }
}

const read = (sent: RequestBody) => outcomeOf(() => readJsonBody(post(sent)));

const INVALID = { reason: "invalid_body", param: "body" };
const TOO_LARGE = { reason: "payload_too_large", param: "body" };

/** A JSON text of exactly this many bytes. */
const jsonOf = (bytes: number) => encoder.encode(`"${"x".repeat(bytes - 2)}"`);

const inChunks = (bytes: Uint8Array, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.slice(index * size, (index + 1) * size));

describe("accepted content types", () => {
  test.for([
    "application/json",
    "application/json; charset=utf-8",
    "APPLICATION/JSON",
    " application/json ;charset=UTF-8;x=y",
  ])("a body with the Content-Type %s is read", async (contentType) =>
    expect(await read({ body: '{"a":[1]}', contentType })).toEqual({ value: { a: [1] } }),
  );
});

describe("refused content types", () => {
  test.for([
    null,
    "",
    "text/plain",
    "text/json",
    "application/jsonp",
    "application/problem+json",
    "json",
    "x; application/json",
    "*/*",
  ])("a body with the Content-Type %s returns 415 unsupported_media_type", async (contentType) => {
    expect(await read({ body: "{}", contentType })).toEqual({
      reason: "unsupported_media_type",
      param: "content-type",
    });
  });

  test("a body with two Content-Types returns 415 unsupported_media_type", async () => {
    expect(await read({ body: "{}", contentType: "application/json, text/plain" })).toMatchObject({
      reason: "unsupported_media_type",
    });
  });
});

describe("the limit of 1,048,576 bytes", () => {
  test.for([
    ["in one piece", LIMIT + 1],
    ["in chunks of 64 KiB without a length", 65_536],
    ["in chunks of 1,000 bytes without a length", 1_000],
  ] as const)(
    "a body %s is read at the limit and returns 413 payload_too_large one byte above it",
    async ([, size]) => {
      expect(await read({ body: inChunks(jsonOf(LIMIT), size) })).toEqual({ value: "x".repeat(LIMIT - 2) });
      expect(await read({ body: inChunks(jsonOf(LIMIT + 1), size) })).toEqual(TOO_LARGE);
    },
  );

  test("a body above the limit returns 413 payload_too_large even if it announces a smaller length", async () => {
    expect(await read({ body: inChunks(jsonOf(LIMIT + 1), 65_536), contentLength: 2 })).toEqual(TOO_LARGE);
  });

  test("the body limit counts bytes, not characters", async () => {
    expect(await read({ body: `"${"é".repeat(LIMIT / 2)}"` })).toEqual(TOO_LARGE);
  });

  test("a body above the limit returns 413 payload_too_large before it is parsed as JSON", async () => {
    expect(await read({ body: new Uint8Array(LIMIT + 1) })).toEqual(TOO_LARGE);
  });
});

test("reading a body stops with the chunk that exceeds the limit, and the stream is cancelled", async () => {
  const chunks = Array.from({ length: 100 }, () => new Uint8Array(100_000));
  const { request, seen } = streamed(new Headers({ "content-type": "application/json" }), chunks);
  expect(await outcomeOf(() => readJsonBody(request))).toEqual(TOO_LARGE);
  // 10 chunks are 1,000,000 bytes.
  expect(seen).toEqual({ chunks: 11, cancelled: true });
});

test("an announced length above the limit is refused without reading", async () => {
  const headers = new Headers({ "content-type": "application/json", "content-length": String(LIMIT + 1) });
  const { request, seen } = streamed(headers, [encoder.encode("{}")]);
  expect(await outcomeOf(() => readJsonBody(request))).toEqual(TOO_LARGE);
  expect(seen.chunks).toBe(0);
});

test("a truncated body returns 400 invalid_body", async () => {
  const stream = new ReadableStream({
    pull(controller) {
      controller.error(new Error("Network connection lost."));
    },
  });
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: stream, duplex: "half" };
  expect(await outcomeOf(() => readJsonBody(new Request("http://api.test/", init)))).toEqual(INVALID);
});

test("a request without a body returns 400 invalid_body", async () => {
  const request = new Request("http://api.test/", { method: "POST", headers: { "content-type": "application/json" } });
  expect(await outcomeOf(() => readJsonBody(request))).toEqual(INVALID);
});

const nested = (depth: number, open = "[", close = "]") => open.repeat(depth) + close.repeat(depth);

describe("invalid bodies", () => {
  test.for<[string, string | Uint8Array]>([
    ["is empty", ""],
    ["is blank", " \r\n\t"],
    ["is truncated", '{"a":'],
    ["has trailing content", "{} {}"],
    ["has a trailing comma", "[1,]"],
    ["has single quotes", "{'a':1}"],
    ["is NaN", "NaN"],
    ["has a raw line break in a string", '"a\nb"'],
    ["is a form", "a=1&b=2"],
    ["is not UTF-8", Uint8Array.of(0x22, 0xff, 0x22)],
    ["ends inside a character", Uint8Array.of(0x22, 0xe2, 0x82)],
    ["has an overlong form of a character", Uint8Array.of(0x22, 0xc0, 0xaf, 0x22)],
    ["is UTF-16", Uint8Array.of(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00)],
    ["is compressed", Uint8Array.of(0x1f, 0x8b, 0x08, 0x00)],
    ["names a member twice", '{"a":1,"a":1}'],
    ["names a member twice deep inside", '[{"a":{"b":1,"c":2,"b":3}}]'],
    ["names a member twice in two spellings", String.raw`{"a":1,"\u0061":2}`],
    ["names a member twice behind a string that looks like the end", String.raw`{"\"}":1,"a":"\\","a":2}`],
    ["has a member named __proto__", '{"__proto__":{"admin":true}}'],
    ["has a member named __proto__ deep inside", String.raw`[{"a":{"\u005f_proto__":null}}]`],
    ["has a NUL in a string", String.raw`["a\u0000"]`],
    ["has a NUL in a name", String.raw`{"\u0000":1}`],
    ["has half a surrogate pair", String.raw`{"a":"\ud83d"}`],
    ["is 33 arrays deep", nested(33)],
    ["is 33 objects deep", `${'{"a":'.repeat(33)}1${"}".repeat(33)}`],
    ["is half a million arrays deep", nested(LIMIT / 2)],
    ["is a million brackets", "[".repeat(LIMIT)],
  ])("a body that %s returns 400 invalid_body", async ([, body]) => {
    expect(await read({ body })).toEqual(INVALID);
  });
});

describe("unusual valid bodies", () => {
  test.for<[string, string | Uint8Array, unknown]>([
    ["is a string", '"a"', "a"],
    ["is null", "null", null],
    ["is surrounded by whitespace", " \n{} ", {}],
    ["begins with a byte order mark", Uint8Array.of(0xef, 0xbb, 0xbf, 0x5b, 0x5d), []],
    ["uses one name in two objects", '[{"a":1},{"a":{"a":2}}]', [{ a: 1 }, { a: { a: 2 } }]],
    ["has a string that looks like a name", String.raw`{"a":"\"a\":1","b":["a","b"]}`, { a: '"a":1', b: ["a", "b"] }],
    ["has a blank before the colon", '{"a" : 1, "b"\n:2}', { a: 1, b: 2 }],
    ["has a member named like a method", '{"constructor":1,"toString":2}', { constructor: 1, toString: 2 }],
    ["has a whole surrogate pair", String.raw`"\ud83d\ude00"`, "😀"],
    ["is 32 arrays deep", nested(32), JSON.parse(nested(32))],
  ])("a body that %s is read", async ([, body, value]) => {
    expect(await read({ body })).toEqual({ value });
  });

  test("a body whose characters are split between chunks is read", async () => {
    expect(await read({ body: inChunks(encoder.encode('{"é":"€😀"}'), 1) })).toEqual({ value: { é: "€😀" } });
  });
});

describe("arbitrary bytes", () => {
  const REFUSED = expect.objectContaining({ reason: expect.stringMatching(/^(invalid_body|unsupported_media_type)$/) });
  const jsonBits = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    '"',
    ":",
    ",",
    "\\",
    '"a"',
    '"__proto__"',
    "\\u0000",
    "\\ud800",
    "1",
    "e9",
    "-",
    " ",
  );
  const anyBytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.string({ unit: jsonBits, maxLength: 60 }).map((text) => encoder.encode(text)),
    fc.json({ maxDepth: 40 }).map((text) => encoder.encode(text)),
  );
  const anyType = fc.oneof(
    { arbitrary: fc.constant("application/json"), weight: 4 },
    { arbitrary: fc.string({ unit: fc.constantFrom("application", "/", "json", ";", ",", " ", "x", "=") }), weight: 1 },
  );

  test("arbitrary bytes are parsed or refused with one reason of the catalogue", async () => {
    await fc.assert(
      fc.asyncProperty(anyBytes, anyType, fc.integer({ min: 1, max: 64 }), async (bytes, contentType, size) => {
        const outcome = await read({ body: inChunks(bytes, size), contentType });
        expect(outcome).toEqual("value" in outcome ? { value: JSON.parse(new TextDecoder().decode(bytes)) } : REFUSED);
      }),
      { numRuns: sized({ short: 500, full: 2_000 }) },
    );
  });

  test("a valid JSON value is read unchanged, however its bytes are split", async () => {
    const soundText = fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0") && text !== "__proto__");
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        soundText,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        tie("list"),
        tie("object"),
      ),
      list: fc.array(tie("value"), { maxLength: 5 }),
      object: fc.dictionary(soundText, tie("value"), { maxKeys: 5, noNullPrototype: true }),
    }));
    await fc.assert(
      fc.asyncProperty(value, fc.integer({ min: 1, max: 64 }), async (sound, size) => {
        expect(await read({ body: inChunks(encoder.encode(JSON.stringify(sound)), size) })).toEqual({ value: sound });
      }),
      { numRuns: 500 },
    );
  });
});

describe("bodies that do not match their schema", () => {
  const Filter = z.strictObject({ wallet: z.string().optional(), "min size": z.number().optional() });
  const Schema = z.object({
    traders: z.array(z.union([z.string(), z.number()])).max(3),
    filters: z.array(Filter).optional(),
  });

  test.for<[string, unknown]>([
    ["body", null],
    ["body", "x"],
    ["body", []],
    ["traders", {}],
    ["traders", { traders: "0xab" }],
    ["traders", { traders: ["a", "b", "c", "d"] }],
    ["traders[0]", { traders: [null, null] }],
    ["traders[2]", { traders: ["a", "b", {}] }],
    ["filters[1].wallet", { traders: [], filters: [{}, { wallet: 1 }] }],
    ["filters[0].min size", { traders: [], filters: [{ "min size": "1" }] }],
    ["filters[0].colour", { traders: [], filters: [{ colour: "red", shape: "round" }] }],
  ])(
    "a body that does not match its schema returns 400 invalid_body at its first problem, %s",
    async ([param, value]) => {
      expect(await outcomeOf(() => parseBody(Schema, value))).toEqual({ reason: "invalid_body", param });
    },
  );

  test("a schema problem in a list body is reported at the index [1]", async () => {
    expect(await outcomeOf(() => parseBody(z.array(z.number()), [1, "2"]))).toEqual({
      reason: "invalid_body",
      param: "[1]",
    });
  });

  test("a problem at a long name chosen by the client is reported at the whole body, without the name", () => {
    const name = "n".repeat(100_000);
    const parse = () => parseBody(z.strictObject({}), { [name]: 1 });
    expect(parse).toThrow("body: This field is not known.");
  });

  test("a matching body is returned as the schema transforms it", () => {
    const dated = z.object({ from: z.iso.datetime().transform((text) => new Date(text)) });
    expect(parseBody(dated, { from: "2026-01-02T03:04:05Z", more: 1 })).toEqual({
      from: new Date(Date.UTC(2026, 0, 2, 3, 4, 5)),
    });
  });
});
