import { expect, test } from "vitest";
import { numberRows } from "../../../../src/ingest/feeds/row-ordinals.ts";

const row = (txHash: string, identity: string) => ({ txHash, identity });
const ordinals = (rows: ReturnType<typeof row>[], carry: Parameters<typeof numberRows>[1] = null) =>
  numberRows(rows, carry).rows.map(({ ordinal }) => ordinal);

test("equal rows of one transaction are distinguished by their ordinals", () => {
  expect(ordinals([row("a", "x"), row("a", "x"), row("a", "y"), row("b", "x")])).toEqual([0, 1, 0, 0]);
});

test("a transaction split by a page boundary continues its ordinals", () => {
  const first = numberRows([row("a", "x"), row("b", "x")], null);
  expect(ordinals([row("b", "x"), row("c", "x")], first.carry)).toEqual([1, 0]);
});

test("a page served twice gets the same ordinals twice", () => {
  const page = [row("a", "x"), row("b", "x"), row("b", "x")];
  const first = numberRows(page, null);
  expect(ordinals(page, first.carry)).toEqual([0, 0, 1]);
});

test("rows repeated later in a page count as repeats", () => {
  expect(ordinals([row("a", "x"), row("b", "x"), row("a", "x")])).toEqual([0, 0, 0]);
});

test("an empty page keeps the carry of the page before", () => {
  const first = numberRows([row("a", "x")], null);
  expect(numberRows([], first.carry).carry).toEqual(first.carry);
});
