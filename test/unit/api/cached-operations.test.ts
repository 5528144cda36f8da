import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Operation } from "../../../src/api/operation.ts";
import { OPERATIONS } from "../../../src/operations/index.ts";

const CACHED = OPERATIONS.filter(({ cacheSeconds }) => cacheSeconds > 0);
const REVALIDATED = CACHED.filter(({ staleWhileRevalidate }) => staleWhileRevalidate === true);
/** Fields in which a response names the time of its data. */
const CLOCKS = ["ranking_as_of", "computed_at", "generated_at", "data_quality"];

function fieldsOf(operation: Operation): string[] {
  if (operation.kind === "list") return Object.keys({ ...operation.topLevel, ...operation.meta });
  return operation.kind === "single" && operation.data instanceof z.ZodObject ? Object.keys(operation.data.shape) : [];
}

describe.for(CACHED)("cached operation $id", (operation) => {
  const { cacheSeconds, cacheTags = [], method, kind, bypassCacheParam, query } = operation;

  test(`${operation.id} has cache tags if it is cached for more than five seconds`, () => {
    expect(cacheSeconds <= 5 || cacheTags.length > 0).toBe(true);
  });

  test(`${operation.id} is a read that depends only on its path and query`, () => {
    expect(method).toBe("get");
    expect(["single", "list"]).toContain(kind);
    expect(operation).not.toHaveProperty("body");
    expect(operation).not.toHaveProperty("idempotent");
  });

  test(`${operation.id} declares the parameter that bypasses its cache`, () => {
    expect(bypassCacheParam === undefined || bypassCacheParam in query).toBe(true);
  });
});

test("no response is cached for longer than two minutes", () => {
  expect(Math.max(...CACHED.map(({ cacheSeconds }) => cacheSeconds))).toBeLessThanOrEqual(120);
});

test.for(REVALIDATED)("$id is served stale while it is revalidated and names the time of its data", (operation) => {
  expect(fieldsOf(operation).filter((name) => CLOCKS.includes(name))).not.toEqual([]);
});

test("an operation with stale-while-revalidate has cache tags", () => {
  expect(REVALIDATED.filter(({ cacheTags = [] }) => cacheTags.length === 0)).toEqual([]);
});
