import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { moneyBound } from "../../../src/queries/money-bound.ts";
import { reachesFloor } from "../../../src/scoring/dollar-floor.ts";
import { createTestDatabase } from "../../support/database/database.ts";

const BOUNDS = [0, 0.004, 0.005, 1e-7, 0.01, 99.995, 100, 4_999.995, 5_000, 5_000.0049999, 5_000.005, 5e3, 1e12, 1e300];

test("a column reaches a bound when both have the same cents in database arithmetic and by the rule in memory", async () => {
  const { db } = await createTestDatabase();
  const nearby = (usd: number) =>
    [-10_001, -5_001, -5_000, -4_999, -1, 0, 1, 4_999, 5_000].map((off) => Math.max(0, Math.round(usd * 1e6) + off));
  const amounts = [...new Set(BOUNDS.filter((usd) => usd <= 1e9).flatMap(nearby))];
  for (const usd of BOUNDS) {
    const { rows } = await db.execute<{ amount: string; passes: boolean; same: boolean }>(
      sql`select amount::text, amount >= ${moneyBound(usd)} as passes,
          round(amount / 1000000.0, 2) >= round(${String(Math.min(1e12, usd))}::numeric, 2) as same
        from unnest(${`{${amounts.join(",")}}`}::bigint[]) as amount`,
    );
    expect(rows).toHaveLength(amounts.length);
    expect(rows.filter(({ passes, same }) => passes !== same)).toEqual([]);
    // The in-memory rule takes millionths: a bound with more decimals is compared in the query only.
    const isExact = Number.isInteger(Math.round(usd * 1e9) / 1e3) && usd < 1e12;
    const other = rows.filter(
      ({ amount, passes }) => isExact && passes !== reachesFloor(BigInt(amount), BigInt(Math.round(usd * 1e6))),
    );
    expect(other).toEqual([]);
  }
});
