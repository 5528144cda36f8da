import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Operation } from "../../../src/api/operation.ts";
import { OPERATIONS } from "../../../src/operations/index.ts";

const KEPT = OPERATIONS.filter(({ cacheSeconds }) => cacheSeconds > 0);
const REFRESHED = KEPT.filter(({ whileRefreshed }) => whileRefreshed === true);
/** Where an answer names the time of what it shows. */
const CLOCKS = ["ranking_as_of", "computed_at", "generated_at", "data_quality"];

function fieldsOf(operation: Operation): string[] {
  if (operation.kind === "list") return Object.keys({ ...operation.topLevel, ...operation.meta });
  return operation.kind === "single" && operation.data instanceof z.ZodObject ? Object.keys(operation.data.shape) : [];
}

describe.for(KEPT)("$id, whose answers are kept,", (operation) => {
  const { cacheSeconds, restsOn = [], method, kind, notCachedWith, query } = operation;

  test("rests on something that is announced if they are kept for more than five seconds", () => {
    expect(cacheSeconds <= 5 || restsOn.length > 0).toBe(true);
  });

  test("is a read that its path and query say all of", () => {
    expect(method).toBe("get");
    expect(["single", "list"]).toContain(kind);
    expect(operation).not.toHaveProperty("body");
    expect(operation).not.toHaveProperty("idempotent");
  });

  test("names a parameter of its own where one keeps answers from being kept", () => {
    expect(notCachedWith === undefined || notCachedWith in query).toBe(true);
  });
});

test("no answer is kept for longer than two minutes", () => {
  expect(Math.max(...KEPT.map(({ cacheSeconds }) => cacheSeconds))).toBeLessThanOrEqual(120);
});

test.for(REFRESHED)("$id, whose answers serve while they are refreshed, names the time of what it shows", (operation) => {
  expect(fieldsOf(operation).filter((name) => CLOCKS.includes(name))).not.toEqual([]);
});

test("what may serve while it is refreshed rests on what is announced", () => {
  expect(REFRESHED.filter(({ restsOn = [] }) => restsOn.length === 0)).toEqual([]);
});
