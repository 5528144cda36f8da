import fc from "fast-check";
import { z as zod } from "zod";
import { describe, expect, test } from "vitest";
import { z as deferredZod } from "../../../src/lib/deferred-zod.ts";

/** The module takes the place of `zod`, so it is used through the types of `zod`. */
const z = deferredZod as unknown as typeof zod;

/** One schema of each kind that the code declares, from either implementation. */
const declare = (from: typeof zod) => {
  const Side = from.enum(["BUY", "SELL"]).meta({ id: "Side", description: "The side." });
  const Trade = from.object({
    id: from.string().regex(/^wt_\d+$/),
    side: Side,
    price: from.number().min(0).max(1).nullable(),
    at: from.iso.datetime().optional(),
    tags: from.array(from.string()).max(2).default([]),
    count: from.coerce.number().int().catch(7),
  });
  return {
    Trade,
    Sized: Trade.extend({ size: from.int().positive() }).omit({ tags: true }),
    Either: from.discriminatedUnion("kind", [
      from.object({ kind: from.literal("a"), n: from.number() }),
      from.strictObject({ kind: from.literal("b"), pair: from.tuple([from.string(), from.null()]) }),
    ]),
    Record: from.record(from.string(), from.union([from.boolean(), from.bigint()])),
    Even: from
      .int()
      .refine((n) => n % 2 === 0, "odd")
      .transform(String),
    Text: from.preprocess((value) => (typeof value === "number" ? String(value) : value), from.string().trim().min(1)),
  };
};

const VALUES = fc.oneof(
  fc.anything(),
  fc.record(
    {
      id: fc.constantFrom("wt_1", "x"),
      side: fc.constantFrom("BUY", "HOLD"),
      price: fc.constantFrom(0.5, 2, null, "1"),
      at: fc.constantFrom("2026-11-20T12:00:00Z", "yesterday"),
      tags: fc.array(fc.string(), { maxLength: 3 }),
      count: fc.oneof(fc.integer(), fc.string()),
      size: fc.integer(),
    },
    { requiredKeys: [] },
  ),
  fc.record({ kind: fc.constantFrom("a", "b", "c"), n: fc.integer(), pair: fc.constant(["x", null]) }),
  fc.dictionary(fc.string(), fc.boolean()),
  fc.integer(),
  fc.string(),
);

const outcome = ({ success, data, error }: { success: boolean; data?: unknown; error?: { issues: unknown } }) =>
  success ? { data } : { issues: error?.issues };

test.each(Object.keys(declare(zod)) as (keyof ReturnType<typeof declare>)[])(
  "a deferred schema parses any value as the schema of zod does: %s",
  (name) => {
    const [deferred, real] = [declare(z)[name], declare(zod)[name]];
    fc.assert(
      fc.property(VALUES, (value) => {
        expect(outcome(deferred.safeParse(value))).toEqual(outcome(real.safeParse(value)));
      }),
    );
  },
);

test("a schema is built on its first use, once, and not when it is declared or composed", () => {
  let built = 0;
  const shape = {
    get name() {
      built += 1;
      return zod.string();
    },
  };
  const Named = z.object(shape);
  const List = z.array(Named.optional()).max(2).meta({ description: "Names." });
  expect(built).toBe(0);
  expect([List.parse([{ name: "a" }]), List.parse([])]).toEqual([[{ name: "a" }], []]);
  expect(built).toBe(1);
});

describe("what is read from a deferred schema is that of its schema", () => {
  test("shape, options and metadata", () => {
    const { Trade } = declare(z);
    expect(Object.keys(Trade.shape)).toEqual(Object.keys(declare(zod).Trade.shape));
    expect(Trade.shape.side.options).toEqual(["BUY", "SELL"]);
    expect(Trade.shape.side.meta()).toEqual({ id: "Side", description: "The side." });
    expect(() => Trade.parse(1)).toThrow(zod.ZodError);
  });

  test("a schema of zod may contain it", () => {
    expect(zod.object({ trade: declare(z).Even }).parse({ trade: 4 })).toEqual({ trade: "4" });
  });

  test("a copy inherits the entry of a registry", () => {
    const docs = z.registry<{ doc: string }>();
    const Limit = z.number();
    docs.add(Limit, { doc: "limit" });
    expect(docs.get(Limit.meta({ description: "Rows." }))).toEqual({ doc: "limit" });
    expect(docs.get(z.number())).toBeUndefined();
  });

  test("a getter names the schema that it is part of", () => {
    const Node: zod.ZodType = z.object({
      id: z.number(),
      get children() {
        return z.array(Node).optional();
      },
    });
    const tree = { id: 1, children: [{ id: 2, children: [] }] };
    expect(Node.parse(tree)).toEqual(tree);
    expect(Node.safeParse({ id: 1, children: [{ id: "2" }] }).error?.issues[0]?.path).toEqual(["children", 0, "id"]);
  });

  test("a schema that needs itself says so", () => {
    const Node: any = z.array(
      z.preprocess(
        (value) => value,
        z.lazy(() => Node),
      ),
    );
    expect(Node.parse([[]])).toEqual([[]]);
    const members: any[] = [z.string()];
    const Loop: any = z.union(members as [any, any]);
    members.push(Loop);
    expect(() => Loop.parse({})).toThrow("use a getter or z.lazy");
  });

  test("a declaration that fails fails in the same way each time", () => {
    const broken: any = z.string().regex(null as any);
    const messages = [1, 2].map(() => {
      try {
        broken.parse("a");
        return "parsed";
      } catch (error) {
        return String(error);
      }
    });
    expect(messages[0]).not.toContain("z.lazy");
    expect(messages[1]).toBe(messages[0]);
  });
});

test("every deferred name is a factory or a method of zod", () => {
  const real = zod as unknown as Record<string, unknown>;
  const replaced = Object.entries(deferredZod).filter(
    ([name, value]) => value !== real[name] && typeof value === "function",
  );
  expect(replaced.length).toBeGreaterThan(15);
  for (const [name] of replaced) expect([name, typeof real[name]]).toEqual([name, "function"]);
});
