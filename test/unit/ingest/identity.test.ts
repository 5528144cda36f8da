import { expect, test } from "vitest";
import { numberRows } from "../../../src/ingest/identity.ts";

const row = (txHash: string, identity: string) => ({ txHash, identity });
const ordinals = (rows: ReturnType<typeof row>[], carry: Parameters<typeof numberRows>[1] = null) =>
  numberRows(rows, carry).rows.map(({ ordinal }) => ordinal);

test("equal rows of one transaction are told apart by their place", () => {
  expect(ordinals([row("a", "x"), row("a", "x"), row("a", "y"), row("b", "x")])).toEqual([0, 1, 0, 0]);
});

test("a transaction torn by a page boundary goes on counting", () => {
  const first = numberRows([row("a", "x"), row("b", "x")], null);
  expect(ordinals([row("b", "x"), row("c", "x")], first.carry)).toEqual([1, 0]);
});

test("a page served twice is numbered the same twice", () => {
  const page = [row("a", "x"), row("b", "x"), row("b", "x")];
  const first = numberRows(page, null);
  expect(ordinals(page, first.carry)).toEqual([0, 0, 1]);
});

test("rows repeated further down in a page are taken for repeats", () => {
  expect(ordinals([row("a", "x"), row("b", "x"), row("a", "x")])).toEqual([0, 0, 0]);
});

test("an empty page keeps the count of the page before", () => {
  const first = numberRows([row("a", "x")], null);
  expect(numberRows([], first.carry).carry).toEqual(first.carry);
});
