import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { openCursor, signCursor, type CursorBinding } from "../../../src/api/request/cursor.ts";
import { ApiError, ERRORS } from "../../../src/api/errors.ts";
import { parsePath } from "../../../src/api/request/path-params.ts";
import { docOf } from "../../../src/api/request/query-params.ts";
import { applyQuery } from "../../../src/api/request/query-policy.ts";
import { OPERATIONS } from "../../../src/operations/index.ts";

/** Text of all planes, lone surrogates and control characters, and text made of typical query parts. */
const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({
    unit: fc.constantFrom(
      "%",
      "+",
      "&",
      "=",
      "[",
      "]",
      "0",
      "f",
      "z",
      "\0",
      ";",
      ".",
      "limit",
      "cursor",
      "expand",
      "%00",
      "%ED%A0%80",
    ),
  }),
);

const BINDING: CursorBinding = {
  keys: { current: "a-secret-of-at-least-32-characters", previous: [] },
  prefix: "sh_",
  list: "listShelf",
  filters: "[]",
};
const Position = z.object({ after: z.number().int() });

/** The error of `work`; null when it succeeded or refused its input with 400. */
async function faultOf(work: () => unknown): Promise<unknown> {
  try {
    await work();
    return null;
  } catch (error) {
    return error instanceof ApiError && ERRORS[error.reason].status === 400 ? null : error;
  }
}

async function expectNoFault(work: () => unknown): Promise<void> {
  expect(await faultOf(work)).toBeNull();
}

describe.for(OPERATIONS)("$id", (operation) => {
  const names = [...Object.keys(operation.query), "cursor", "nonsense"];

  test(`${operation.id} accepts or refuses any query, lenient or strict`, async () => {
    await fc.assert(
      fc.asyncProperty(anyText, fc.boolean(), (query, strict) =>
        expectNoFault(() => applyQuery(operation, query, strict)),
      ),
    );
  });

  test(`${operation.id} accepts or refuses any value of each parameter`, async () => {
    const query = fc.tuple(fc.constantFrom(...names), anyText);
    await fc.assert(
      fc.asyncProperty(query, ([name, value]) => expectNoFault(() => applyQuery(operation, `${name}=${value}`, false))),
    );
  });

  test(`${operation.id} accepts or refuses any path value`, async () => {
    await fc.assert(
      fc.asyncProperty(anyText, (value) =>
        expectNoFault(() =>
          parsePath(
            operation,
            operation.path.replaceAll(/\{\w+\}/g, () => value),
          ),
        ),
      ),
    );
  });

  test(`${operation.id} reads the query it reports as applied like the query that was sent`, () => {
    const enums = Object.values(operation.query).flatMap((param) => {
      const { enum: values } = docOf(param).json;
      return Array.isArray(values) ? values.map(String) : [];
    });
    const value = fc.oneof(
      fc.integer().map(String),
      fc.boolean().map(String),
      fc.string({ unit: "grapheme", maxLength: 20 }),
      fc.constantFrom("S", "recent", "trust", "all", "7d", "daily", "2026-11", "2026-11-20", "2026-11-20T00:00:00Z"),
      // A required parameter seldom gets one of its values otherwise.
      ...(enums.length === 0 ? [] : [fc.constantFrom(...enums)]),
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.constantFrom(...names), value), { selector: ([name]) => name }),
        (pairs) => {
          const sent = pairs.map(([name, text]) => `${name}=${encodeURIComponent(text)}`).join("&");
          const applied = accepted(() => applyQuery(operation, sent, false));
          fc.pre(applied !== null);
          const again = applyQuery(operation, applied.effective, true);
          expect(again).toMatchObject({
            values: applied.values,
            cursor: applied.cursor,
            filters: applied.filters,
            effective: applied.effective,
          });
        },
      ),
    );
  });
});

/** @returns null when the request was refused */
function accepted<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

describe("a cursor", () => {
  test("a cursor that was never issued is refused, whatever its text", async () => {
    await fc.assert(
      fc.asyncProperty(anyText, anyText, fc.constantFrom("", "sh_"), async (encoded, signature, prefix) => {
        const opened = openCursor(BINDING, `${prefix}${encoded}.${signature}`, Position);
        await expect(opened).rejects.toMatchObject({ reason: "invalid_query", detail: { param: "cursor" } });
      }),
    );
  });

  test("a cursor opens to the position that it was issued for", async () => {
    const anyPosition = fc.record({ at: fc.string(), rank: fc.integer(), generation: fc.option(fc.integer()) });
    const AnyPosition = z.object({ at: z.string(), rank: z.int(), generation: z.int().nullable() });
    await fc.assert(
      fc.asyncProperty(anyPosition, async (position) => {
        expect(await openCursor(BINDING, await signCursor(BINDING, position), AnyPosition)).toEqual({ ...position });
      }),
    );
  });

  test("a cursor is only valid for its own list and filters", async () => {
    const binding = fc.record({
      keys: fc.constant(BINDING.keys),
      prefix: fc.constant("sh_"),
      list: fc.string(),
      filters: fc.json(),
    });
    await fc.assert(
      fc.asyncProperty(binding, binding, async (minted, used) => {
        fc.pre(minted.list !== used.list || minted.filters !== used.filters);
        const opened = openCursor(used, await signCursor(minted, { after: 1 }), Position);
        await expect(opened).rejects.toMatchObject({ reason: "invalid_query" });
      }),
    );
  });
});
