import { expect, test } from "vitest";
import { z } from "zod";
import type { ListOperation } from "../../../src/api/operation.ts";
import { numberParam, limitParam, expandParam } from "../../../src/api/request/query-params.ts";
import { buildRequest } from "../../../src/mcp/tools/build-request.ts";
import { fitResult, RESULT_BUDGET_CHARACTERS } from "../../../src/mcp/tools/fit-result.ts";
import { requireFreshness } from "../../../src/mcp/tools/require-freshness.ts";
import type { ToolOperation } from "../../../src/mcp/tools/tool.ts";

const NOW = new Date("2026-11-20T12:00:00Z");

const COMMON = {
  tag: "T",
  summary: "S.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  reasons: [],
  conditional: false,
  cacheSeconds: 0,
  mcpTool: "t",
} as const;

/** A list, whose cursor may be bound to the page size. */
const aListOperation = (cursor: Partial<NonNullable<ListOperation["cursor"]>> = {}): ToolOperation => ({
  ...COMMON,
  kind: "list",
  id: "list",
  method: "get",
  path: "/api/v1/list/{id}",
  params: { id: z.string() },
  query: { limit: limitParam({ max: 100, default: 20 }), expand: expandParam(["a", "b"]) },
  item: z.string(),
  cursor: { prefix: "l_", position: z.number(), ...cursor },
  handle: async () => ({ data: [], next: null }),
});

const LIST = aListOperation();
const BOUND = aListOperation({ bindsLimit: true });
const BATCH: ToolOperation = {
  ...COMMON,
  kind: "single",
  id: "batch",
  method: "post",
  path: "/api/v1/batch",
  params: {},
  object: "o",
  data: z.unknown(),
  query: { min: numberParam() },
  body: z.strictObject({ items: z.array(z.string()) }),
  handle: async () => ({ data: null }),
};

test.each([
  [
    LIST,
    { id: "a/b?c", limit: 5, expand: ["a", "b"], cursor: "l_x=" },
    "/api/v1/list/a%2Fb%3Fc?limit=5&expand=a&expand=b&cursor=l_x%3D",
    null,
  ],
  [LIST, { id: "..", max_age_s: 5 }, "/api/v1/list/..%20", null],
  [BATCH, { items: ["x"], min: 1, max_age_s: 5 }, "/api/v1/batch?min=1", '{"items":["x"]}'],
] as const)("the arguments become the REST request %#", (operation, args, target, body) => {
  expect(buildRequest(operation, args)).toEqual({ target, body });
});

/** A list of rows of this many characters. It records the page sizes that were read. */
function aList(rowCharacters: number, total: number) {
  const limits: unknown[] = [];
  const read = async (args: Readonly<Record<string, unknown>>) => {
    limits.push(args["limit"] ?? null);
    const rows = Array(Math.min(total, Number(args["limit"] ?? 20))).fill("x".repeat(rowCharacters));
    return JSON.stringify({ object: "list", data: rows, next_cursor: `l_${rows.length}` });
  };
  return { limits, read };
}

test("a result within the budget is read once and stays whole", async () => {
  const { limits, read } = aList(10, 20);
  expect(await fitResult(LIST, {}, read)).toMatchObject({ limit: null });
  expect(limits).toEqual([null]);
});

test("a list over the budget is read again with fewer whole rows and its own cursor", async () => {
  const { limits, read } = aList(10_000, 100);
  const { text, limit } = await fitResult(LIST, { limit: 100 }, read);
  expect(limits).toEqual([100, limit]);
  expect(text.length).toBeLessThanOrEqual(RESULT_BUDGET_CHARACTERS);
  expect(JSON.parse(text)).toMatchObject({ next_cursor: `l_${limit}` });
  expect(JSON.parse(text).data).toHaveLength(limit ?? 0);
});

test("one row over the budget, a single object, and a page whose cursor binds its size stay whole", async () => {
  const huge = aList(RESULT_BUDGET_CHARACTERS, 3);
  const single = await fitResult(LIST, {}, huge.read);
  expect(JSON.parse(single.text).data).toHaveLength(1);
  const bound = aList(10_000, 100);
  expect(await fitResult(BOUND, { limit: 100, cursor: "l_x" }, bound.read)).toMatchObject({ limit: null });
  const batch = aList(10_000, 100);
  expect(await fitResult(BATCH, { limit: 100 }, batch.read)).toMatchObject({ limit: null });
  expect([bound.limits, batch.limits]).toEqual([[100], [100]]);
});

const META = { request_id: "req_1", cached: false };
const OLD = "2026-11-20T11:00:00Z";

test.each([
  ["fresh data_quality at the top", { data_quality: { status: "fresh", as_of: OLD }, data: [], meta: META }, 3_600],
  ["fresh data_quality in the data", { data: { data_quality: { status: "fresh", as_of: OLD } }, meta: META }, 3_600],
  ["the response's own clock", { as_of: OLD, data: [], meta: META }, 3_600],
  ["the clock of the data", { data: { computed_at: OLD }, meta: META }, 3_600],
  ["the clock of a ranking", { data: [], meta: { ...META, ranking_as_of: OLD } }, 3_600],
  ["a cached response without a clock", { data: [], meta: { ...META, cache_age_s: 7 } }, 7],
  ["a computed response without a clock", { data: "text", meta: META }, 0],
])("the age of %s decides", (_, envelope, age) => {
  expect(() => requireFreshness(envelope, age, NOW)).not.toThrow();
  expect(() => requireFreshness(envelope, age - 1, NOW)).toThrow(
    expect.objectContaining({
      reason: "freshness_ceiling_unsatisfied",
      detail: expect.objectContaining({ freshness: expect.objectContaining({ actual_age_s: age }) }),
    }),
  );
});

test.each([
  [{ status: "partial", as_of: OLD }, "partial"],
  [{ status: "fresh" }, "fresh"],
])("data of unknown age or quality satisfies no ceiling: %j", (data_quality, status) => {
  expect(() => requireFreshness({ data_quality, data: [], meta: META }, 1e9, NOW)).toThrow(
    expect.objectContaining({
      detail: expect.objectContaining({ freshness: expect.objectContaining({ data_quality_status: status }) }),
    }),
  );
});
