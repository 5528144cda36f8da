import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  findKeptHistory,
  keepHistory,
  postgresDirOf,
} from "../../../../../scripts/bench/live-size/history/kept-history.ts";

const SIZE = { markets: 100, traders: 20, fills: 500 };
const HISTORY = { ...SIZE, historyEndMs: 1_795_860_813_000, phases: 2 };

let directory: string;
beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), "kept-history-")), "data");
});
afterEach(() => rmSync(join(directory, ".."), { recursive: true }));

test("a history that was kept is found again, with the phases that have begun", () => {
  expect(findKeptHistory(directory, SIZE)).toBeNull();
  keepHistory(directory, HISTORY);
  expect(findKeptHistory(directory, SIZE)).toEqual(HISTORY);
});

test("a history of another size is an error", () => {
  keepHistory(directory, HISTORY);
  expect(() => findKeptHistory(directory, { ...SIZE, traders: 21 })).toThrow("has 20 traders, not 21");
});

test("a history that was not loaded to its end is an error", () => {
  mkdirSync(postgresDirOf(directory), { recursive: true });
  expect(() => findKeptHistory(directory, SIZE)).toThrow("is not whole: delete it");
});
