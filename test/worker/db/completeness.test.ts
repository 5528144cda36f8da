import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import type { Database } from "../../../src/db/client.ts";
import { isCombination as isCombinationSql, isHistoryKnown } from "../../../src/db/completeness.ts";
import { isCombination } from "../../../src/domain/ids.ts";
import { walletCompleteness } from "../../../src/domain/wallet-completeness.ts";
import { createTestDatabase } from "../../support/database.ts";

let db: Database;
beforeAll(async () => {
  ({ db } = await createTestDatabase());
});

const NOTHING = { unmatched_positions: 0, unmatched_usd_micro: 0n, combination_markets: 0, combination_volume_micro: 0n };
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
])("read to its end at %s with the gaps %s: %s, in SQL and as a function", async (completeAt, gaps, status, isKnown) => {
  expect(walletCompleteness({ followed: true, synced_at: completeAt, gaps, left_out: NOTHING }).status).toBe(status);
  const list = `{${gaps.join(",")}}`;
  const { rows } = await db.execute(
    sql`select ${sql.raw(isHistoryKnown("s"))} as known from (select ${completeAt}::timestamptz as complete_at, ${list}::text[] as gaps) s`,
  );
  expect(rows).toEqual([{ known: isKnown }]);
});

test("a wallet that nobody follows is untracked", () => {
  expect(walletCompleteness({ followed: false, synced_at: null, gaps: null, left_out: NOTHING }).status).toBe("untracked");
});

test("what profit leaves out is said in dollars, each part and both together", () => {
  const detailOf = (facts: Partial<typeof NOTHING>) =>
    walletCompleteness({ followed: true, synced_at: AT, gaps: [], left_out: { ...NOTHING, ...facts } });
  const exact = "; volume, trades and counts of markets are exact, and so is the profit of the other positions";
  const unmatched = { unmatched_positions: 2, unmatched_usd_micro: 1_234_567_890_000n };
  const combined = { combination_markets: 1, combination_volume_micro: 9_999n };
  const received = "$1,234,567.89 received for shares that the wallet was never seen to acquire, in 2 positions";
  const combination = "1 combination of markets ($0.00 bought and sold), whose results are not known";
  expect(detailOf(unmatched)).toEqual({ status: "partial", detail: `profit and win rates leave out ${received}${exact}` });
  expect(detailOf(combined)).toEqual({ status: "partial", detail: `profit and win rates leave out ${combination}${exact}` });
  expect(detailOf({ ...unmatched, ...combined })).toEqual({
    status: "partial",
    detail: `profit and win rates leave out ${received}, and ${combination}${exact}`,
  });
});

test.each([`0x03${"7e".repeat(30)}`, `0x03${"7e".repeat(31)}`, `0x01${"7e".repeat(30)}`, `0x${"0".repeat(64)}`, "0x03"])(
  "whether %s names a combination is the same in SQL",
  async (conditionId) => {
    const { rows } = await db.execute(
      sql`select ${sql.raw(isCombinationSql("c.id"))} as combines from (select ${conditionId}::text as id) c`,
    );
    expect(rows).toEqual([{ combines: isCombination(conditionId) }]);
  },
);
