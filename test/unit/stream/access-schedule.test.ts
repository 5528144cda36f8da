import { describe, expect, test } from "vitest";
import {
  decideFirstDue,
  decideNextRun,
  listDueAccounts,
} from "../../../durable-objects/stream-fanout/access-schedule.ts";

const NOW = 1_000_000;
const at = (accountId: number, dueMs: number) => ({ accountId, dueMs });

describe("when the access of a new connection is due", () => {
  test.each<[string, checkedMs: number, accountDueMs: number | null, random: number, expected: number]>([
    ["at once at the least for the first of its account", NOW, null, 0, NOW],
    ["within 30 seconds for the first of its account", NOW, null, 0.999, NOW + 29_970],
    ["with its account, whatever the random value", NOW, NOW + 7_000, 0.999, NOW + 7_000],
    ["with its account that is overdue", NOW, NOW - 3_000, 0.5, NOW - 3_000],
    ["30 seconds after its last check, although its account is due later", NOW - 25_000, NOW + 9_000, 0.5, NOW + 5_000],
    ["before 30 seconds after its last check for the first of its account", NOW - 20_000, null, 0.5, NOW + 5_000],
    ["at once when its last check is older", NOW - 80_000, null, 0.999, NOW],
    ["within 30 seconds of a clock that is ahead", NOW + 500_000, null, 0.999, NOW + 29_970],
  ])("it is due %s", (_, checkedMs, accountDueMs, random, expected) => {
    expect(decideFirstDue(checkedMs, accountDueMs, NOW, () => random)).toBe(expected);
  });
});

test("accounts are due with their first connection, the longest due first, each once", () => {
  const connections = [at(1, NOW), at(2, NOW + 60_000), at(2, NOW - 9_000), at(3, NOW + 2_500), at(4, NOW + 2_501)];
  expect(listDueAccounts(connections, NOW)).toEqual([2, 1, 3]);
});

test.each<[string, connections: { accountId: number; dueMs: number }[], lastRunMs: number, expected: number | null]>([
  ["never without connections", [], NOW, null],
  ["when the first account is due", [at(1, NOW + 20_000), at(2, NOW + 9_000)], NOW, NOW + 9_000],
  ["five seconds after the last run at the earliest", [at(1, NOW + 3_000)], NOW, NOW + 5_000],
  ["at the time that was due in an object that starts", [at(1, NOW - 3_000)], 0, NOW - 3_000],
])("checks run next %s", (_, connections, lastRunMs, expected) => {
  expect(decideNextRun(connections, lastRunMs)).toBe(expected);
});
