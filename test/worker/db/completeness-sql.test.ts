import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import type { Database } from "../../../src/db/client.ts";
import { m, s } from "../../../src/db/aliases.ts";
import { isCombinationSql, isHistoryKnown } from "../../../src/db/fragments/completeness.ts";
import { isCombination } from "../../../src/domain/ids.ts";
import { traderCompleteness } from "../../../src/domain/traders/trader-completeness.ts";
import { createTestDatabase } from "../../support/database/database.ts";

let db: Database;
beforeAll(async () => {
  ({ db } = await createTestDatabase());
});

const NOTHING = {
  unmatched_positions: 0,
  unmatched_usd_micro: 0n,
  combination_markets: 0,
  combination_volume_micro: 0n,
  has_combination_gap: false,
};
const AT = "2026-11-20T12:00:00.000Z";

test.each<[string | null, string[], string, boolean]>([
  [AT, [], "complete", true],
  [AT, ["combination"], "partial", true],
  [AT, ["conversion"], "gaps", false],
  [AT, ["combination", "migration"], "gaps", false],
  [AT, ["unreadable"], "gaps", false],
  [AT, ["merge", "split"], "gaps", false],
  [null, [], "pending", false],
  [null, ["combination"], "pending", false],
])("completeAt %s with the gaps %s is %s in TypeScript and SQL", async (completeAt, gaps, status, isKnown) => {
  const left = { ...NOTHING, has_combination_gap: gaps.includes("combination") };
  expect(traderCompleteness({ followed: true, synced_at: completeAt, gaps, left_out: left }).status).toBe(status);
  const list = `{${gaps.join(",")}}`;
  const { rows } = await db.execute(
    sql`select ${isHistoryKnown(s)} as known from (select ${completeAt}::timestamptz as complete_at, ${list}::text[] as gaps) s`,
  );
  expect(rows).toEqual([{ known: isKnown }]);
});

test("a trader that is not followed has the status untracked", () => {
  expect(traderCompleteness({ followed: false, synced_at: null, gaps: null, left_out: NOTHING }).status).toBe(
    "untracked",
  );
});

test("the detail states what profit leaves out in dollars, for each part and both together", () => {
  const detailOf = (facts: Partial<typeof NOTHING>) =>
    traderCompleteness({ followed: true, synced_at: AT, gaps: [], left_out: { ...NOTHING, ...facts } });
  const exact = "; volume, trades, market counts and the profit of the other positions are exact";
  const unmatched = { unmatched_positions: 2, unmatched_usd_micro: 1_234_567_890_000n };
  const combined = { combination_markets: 1, combination_volume_micro: 9_999n };
  const received = "$1,234,567.89 received for shares without a recorded acquisition, in 2 positions";
  const combination = "1 combination of markets ($0.00 bought and sold), whose legs are not known";
  expect(detailOf(unmatched)).toEqual({
    status: "partial",
    detail: `profit and win rates exclude ${received}${exact}`,
  });
  expect(detailOf(combined)).toEqual({
    status: "partial",
    detail: `profit and win rates exclude ${combination}${exact}`,
  });
  expect(detailOf({ ...unmatched, ...combined })).toEqual({
    status: "partial",
    detail: `profit and win rates exclude ${received}, and ${combination}${exact}`,
  });
});

test.each([
  `0x03${"7e".repeat(30)}`,
  `0x03${"7e".repeat(31)}`,
  `0x01${"7e".repeat(30)}`,
  `0x${"0".repeat(64)}`,
  "0x03",
])("the condition id %s is classified as combination or not in SQL as in TypeScript", async (conditionId) => {
  const { rows } = await db.execute(
    sql`select ${isCombinationSql(m.conditionId)} as combines from (select ${conditionId}::text as condition_id) m`,
  );
  expect(rows).toEqual([{ combines: isCombination(conditionId) }]);
});
