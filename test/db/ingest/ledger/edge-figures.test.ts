import { beforeAll, expect, test } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { applyMarkets } from "../../../../src/ingest/markets/apply-markets.ts";
import { applyResolutions } from "../../../../src/ingest/markets/apply-resolutions.ts";
import type { ProviderMarket } from "../../../../src/platform/provider.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { openIngest } from "../../../support/ingest/ingest-under-test.ts";
import { aProviderMarket, aResolution } from "../../../support/ingest/provider/provider-markets.ts";
import {
  aTrade,
  anActivity,
  conditionOf,
  pageOf,
  tokenOf,
  walletOf,
} from "../../../support/ingest/provider/provider-trades.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});

async function aLedger() {
  const pool = database.openPool();
  const { apply, applyActivity, state } = await openIngest(pool);
  const describe = (market: ProviderMarket) => applyMarkets(pool, [market], [], new Date(0));
  await describe(aProviderMarket(1));
  return {
    apply,
    applyActivity,
    describe,
    resolve: (firstPpm: number) =>
      inTransaction(pool, (session) =>
        applyResolutions(session, [conditionOf(1)], [aResolution(1, firstPpm)], [], new Date(0)),
      ),
    /**
     * Shares, cost, realized and settled of each outcome; then realized and settled of the trader, in total
     * and summed over its days.
     */
    async figures() {
      const { positions, totals, days } = await state();
      const sum = (name: string) => String(days.reduce((total, day) => total + BigInt(String(day[name])), 0n));
      return [
        ...positions.map((p) => [p["shares_micro"], p["cost_micro"], p["realized_micro"], p["settled_micro"]]),
        [totals[0]?.["realized_micro"], totals[0]?.["settled_micro"]],
        [sum("realized_micro"), sum("settled_micro")],
      ];
    },
    state,
  };
}

test("one millionth of a share is bought, split, sold and paid out exactly", async () => {
  const { apply, applyActivity, resolve, figures } = await aLedger();
  // 0.4 of a millionth of a dollar rounds to 0, 0.5 to 1.
  await apply(
    "all",
    pageOf([aTrade({ n: 2, sharesMicro: 1n, price: "0.5" }), aTrade({ n: 1, sharesMicro: 1n, price: "0.4" })]),
  );
  await applyActivity(walletOf(1), pageOf([anActivity("SPLIT", { n: 3, sharesMicro: 1n })]));
  // Three of the first outcome cost 0 + 1 + 1; the split's second leg has no cost.
  expect(await figures()).toEqual([
    ["3", "2", "0", null],
    ["1", "0", "0", null],
    ["0", "0"],
    ["0", "0"],
  ]);
  await apply("all", pageOf([aTrade({ n: 4, side: "SELL", sharesMicro: 1n, price: "1", atSeconds: 1_760_000_100 })]));
  // A third of 2 is 0.67, so 1 leaves with it: 1 - 1.
  expect(await figures()).toEqual([
    ["2", "1", "0", null],
    ["1", "0", "0", null],
    ["0", "0"],
    ["0", "0"],
  ]);
  // Half a millionth rounds away from zero: the share of the second outcome pays 1.
  await resolve(500_000);
  expect(await figures()).toEqual([
    ["2", "1", "0", "0"],
    ["1", "0", "0", "1"],
    ["0", "1"],
    ["0", "1"],
  ]);
});

test("shares bought at 0 and sold at 1 realize everything, and shares bought at 1 and sold at 0 lose everything", async () => {
  const { apply, figures } = await aLedger();
  await apply(
    "all",
    pageOf([
      aTrade({ n: 4, outcome: 1, side: "SELL", price: "0", atSeconds: 1_760_000_001 }),
      aTrade({ n: 3, outcome: 0, side: "SELL", price: "1", atSeconds: 1_760_000_001 }),
      aTrade({ n: 2, outcome: 1, price: "1" }),
      aTrade({ n: 1, outcome: 0, price: "0" }),
    ]),
  );
  const sold = (realized: string) => ["0", "0", realized, null];
  expect(await figures()).toEqual([sold("10000000"), sold("-10000000"), ["0", "0"], ["0", "0"]]);
});

test("a void market pays both sides half of a winner's payout, and both results are exact", async () => {
  const { apply, resolve, figures } = await aLedger();
  await apply(
    "all",
    pageOf([
      aTrade({ n: 2, outcome: 1, sharesMicro: 7_000_001n, price: "0.1" }),
      aTrade({ n: 1, outcome: 0, sharesMicro: 3_333_333n, price: "0.9" }),
    ]),
  );
  await resolve(500_000);
  // 3.333333 at 0.9 cost 2.9999997, rounded to 3.000000, and pay 1.6666665, rounded to 1.666667; 7.000001
  // cost 0.7000001 and pay 3.5000005.
  expect(await figures()).toEqual([
    ["3333333", "3000000", "0", "-1333333"],
    ["7000001", "700000", "0", "2800001"],
    ["0", "1466668"],
    ["0", "1466668"],
  ]);
});

test("renamed outcomes keep their results, and swapped outcomes are paid by their new index on the same day", async () => {
  const { apply, resolve, describe, figures, state } = await aLedger();
  await apply("all", pageOf([aTrade({ n: 1, outcome: 0, price: "0.4" })]));
  await resolve(1_000_000);
  const won = [
    ["10000000", "4000000", "0", "6000000"],
    ["0", "6000000"],
    ["0", "6000000"],
  ];
  expect(await figures()).toEqual(won);

  const market = aProviderMarket(1);
  await describe({
    ...market,
    outcomes: market.outcomes.map((outcome) => ({ ...outcome, label: outcome.label === "Yes" ? "No" : "Yes" })),
  });
  expect(await figures()).toEqual(won);
  expect((await state()).outcomes.find((outcome) => outcome["token_id"] === tokenOf(1, 0))?.["label"]).toBe("No");

  const [day] = (await state()).days.filter((row) => row["settled_micro"] !== "0");
  await describe({
    ...market,
    outcomes: market.outcomes.map((outcome) => ({ ...outcome, outcomeIndex: 1 - outcome.outcomeIndex })),
  });
  expect(await figures()).toEqual([
    ["10000000", "4000000", "0", "-4000000"],
    ["0", "-4000000"],
    ["0", "-4000000"],
  ]);
  const [after] = (await state()).days.filter((row) => row["settled_micro"] !== "0");
  expect(after?.["day"]).toBe(day?.["day"]);
});
