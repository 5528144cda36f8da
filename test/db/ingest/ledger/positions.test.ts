import type { Pool } from "@neondatabase/serverless";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { applyMarkets } from "../../../../src/ingest/markets/apply-markets.ts";
import { applyResolutions } from "../../../../src/ingest/markets/apply-resolutions.ts";
import type { ProviderResolution } from "../../../../src/platform/provider.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { openIngest, type IngestUnderTest } from "../../../support/ingest/ingest-under-test.ts";
import { aProviderMarket, aResolution } from "../../../support/ingest/provider/provider-markets.ts";
import { aTrade, conditionOf, pageOf, tokenOf, walletOf } from "../../../support/ingest/provider/provider-trades.ts";
import { expectedDays } from "./expected-days.ts";
import { expectedPositions, nearest, type ExpectedPosition } from "./expected-positions.ts";
import {
  aStory,
  COMBINATION,
  MARKETS,
  ledgerEntriesOf,
  pagesOf,
  receiptsOf,
  START,
  type Story,
} from "./trader-stories.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});

async function applyStory(pool: Pool, { apply, applyActivity }: IngestUnderTest, story: Story): Promise<void> {
  await applyMarkets(
    pool,
    MARKETS.map((market) => aProviderMarket(market)),
    [],
    new Date(0),
  );
  const pages = pagesOf(story);
  for (const [index, page] of pages.entries()) {
    for (const ruling of story.rulings) if (ruling.after === index) await resolve(ruling);
    if (page.from === "activity") await applyActivity(walletOf(page.wallet), pageOf(page.rows));
    else await apply(page.from, pageOf(page.rows));
  }
  for (const ruling of story.rulings) if (ruling.after >= pages.length) await resolve(ruling);

  async function resolve({ firstPayouts, atSeconds }: Story["rulings"][number]): Promise<void> {
    const resolutions = MARKETS.map((market, index) =>
      aResolution(market, firstPayouts[index] ?? null, new Date(atSeconds * 1000)),
    );
    await inTransaction(pool, (session) =>
      applyResolutions(session, MARKETS.map(conditionOf), resolutions, [], new Date(0)),
    );
  }
}

const iso = (seconds: number) => new Date(seconds * 1000).toISOString();

function settledOf(position: ExpectedPosition, { rulings }: Story): bigint | null {
  const first = rulings.at(-1)?.firstPayouts[position.market - 1] ?? null;
  if (first === null) return null;
  const payout = position.outcome === 0 ? first : 1_000_000 - first;
  return nearest(position.shares * BigInt(payout), 1_000_000n) - position.cost;
}

const expectedRow = (position: ExpectedPosition, story: Story) => ({
  address: walletOf(position.wallet),
  token_id: tokenOf(position.market, position.outcome),
  condition_id: conditionOf(position.market),
  shares_micro: String(position.shares),
  cost_micro: String(position.cost),
  realized_micro: String(position.realized),
  settled_micro: settledOf(position, story)?.toString() ?? null,
  bought_shares_micro: String(position.bought),
  bought_usd_micro: String(position.boughtUsd),
  sold_shares_micro: String(position.sold),
  sold_usd_micro: String(position.soldUsd),
  fees_micro: String(position.fees),
  unmatched_shares_micro: String(position.unmatched),
  unmatched_usd_micro: String(position.unmatchedUsd),
  entry_count: position.entries,
  first_at: iso(position.first),
  last_at: iso(position.last),
});

function expectedTotals(positions: readonly ExpectedPosition[], story: Story) {
  const wallets = [...new Set([...positions, ...receiptsOf(story)].map(({ wallet }) => wallet))].sort((a, b) => a - b);
  return wallets.map((wallet) => {
    const all = positions.filter((position) => position.wallet === wallet);
    const [own, combined] = [
      all.filter(({ market }) => market !== COMBINATION),
      all.filter(({ market }) => market === COMBINATION),
    ];
    const volumeOf = (some: readonly ExpectedPosition[]) =>
      sum(some.map((position) => position.boughtUsd + position.soldUsd));
    const unmatched = own.filter((position) => position.unmatched > 0n);
    const receipts = receiptsOf(story).filter((receipt) => receipt.wallet === wallet);
    const received = (type: string) => sum(receipts.flatMap((receipt) => (receipt.type === type ? receipt.usd : [])));
    const sum = (values: bigint[]) => String(values.reduce((a, b) => a + b, 0n));
    return {
      address: walletOf(wallet),
      realized_micro: sum(own.map((position) => position.realized)),
      settled_micro: sum(own.map((position) => settledOf(position, story) ?? 0n)),
      volume_micro: volumeOf(all),
      fees_micro: sum(own.map((position) => position.fees)),
      rebates_micro: received("MAKER_REBATE"),
      rewards_micro: received("YIELD"),
      entry_count: all.reduce((count, position) => count + position.entries, 0),
      first_at: iso(Math.min(...all.map(({ first }) => first), ...receipts.map(({ atSeconds }) => atSeconds))),
      last_at: all.length === 0 ? null : iso(Math.max(...all.map(({ last }) => last))),
      ...expectedMarkets(all, story),
      unmatched_positions: unmatched.length,
      unmatched_usd_micro: sum(unmatched.map((position) => position.unmatchedUsd)),
      combination_markets: Number(combined.length > 0),
      combination_volume_micro: volumeOf(combined),
    };
  });
}

function expectedMarkets(own: readonly ExpectedPosition[], story: Story) {
  const markets = [...Map.groupBy(own, ({ market }) => market).values()].map((ofMarket) => ({
    resolved: ofMarket.every((position) => settledOf(position, story) !== null),
    known: ofMarket.every((position) => position.unmatched === 0n),
    result: ofMarket.reduce(
      (sum, position) => sum + position.realized + (settledOf(position, story) ?? 0n) - position.fees,
      0n,
    ),
  }));
  return {
    markets_traded: markets.length,
    markets_resolved: markets.filter(({ resolved }) => resolved).length,
    markets_won: markets.filter(({ resolved, known, result }) => resolved && known && result > 0n).length,
    markets_decided: markets.filter(({ resolved, known, result }) => resolved && known && result !== 0n).length,
  };
}

const byName = (a: { address: string; token_id: string }, b: { address: string; token_id: string }) =>
  a.address === b.address ? Number(a.token_id) - Number(b.token_id) : a.address < b.address ? -1 : 1;

test("positions, totals and days are an average-cost fold of the ledger, however the feeds cut, repeat, overlap and order it", async () => {
  const pool = database.openPool();
  await fc.assert(
    fc.asyncProperty(aStory, async (story) => {
      const ingest = await openIngest(pool);
      await applyStory(pool, ingest, story);
      const positions = expectedPositions(ledgerEntriesOf(story));
      const stored = await ingest.state();
      expect(stored.positions).toEqual(positions.map((position) => expectedRow(position, story)).sort(byName));
      expect(stored.totals).toEqual(expectedTotals(positions, story));
      const settlements = positions.map(({ wallet, ...position }) => ({
        wallet,
        settled: settledOf({ wallet, ...position }, story) ?? 0n,
        atSeconds: story.rulings.at(-1)?.atSeconds ?? 0,
      }));
      expect(stored.days).toEqual(expectedDays(ledgerEntriesOf(story), positions, receiptsOf(story), settlements));
    }),
    // Interrupted before the test's own limit, so that a failure is reported, shrunk as far as possible.
    { numRuns: 40, interruptAfterTimeLimit: 45_000 },
  );
});

describe("settlement of open shares", () => {
  // 100 at 0.40 and 50 at 0.70 cost 75 for 150, so 0.50 each; 60 sold leave 90 that cost 45.
  const FILLS = [
    aTrade({ n: 3, side: "SELL", sharesMicro: 60_000_000n, price: "0.65", atSeconds: START + 2 }),
    aTrade({ n: 2, sharesMicro: 50_000_000n, price: "0.7", atSeconds: START + 1 }),
    aTrade({ n: 1, sharesMicro: 100_000_000n, price: "0.4", atSeconds: START }),
  ];

  async function holder() {
    const pool = database.openPool();
    const { apply, state } = await openIngest(pool);
    await applyMarkets(pool, [aProviderMarket(1)], [], new Date(0));
    const applyResolution = (resolution: ProviderResolution) =>
      inTransaction(pool, (session) => applyResolutions(session, [conditionOf(1)], [resolution], [], new Date(0)));
    return {
      buy: () => apply("takers", pageOf(FILLS)),
      resolve: (firstPpm: number | null) => applyResolution(aResolution(1, firstPpm)),
      /** Still resolved, but the response leaves the payouts out. */
      resolveWithoutPayouts: () => applyResolution({ ...aResolution(1, 1_000_000), payoutsPpm: null }),
      async settled() {
        const { positions, totals } = await state();
        return [positions[0]?.["settled_micro"], totals[0]?.["settled_micro"], totals[0]?.["realized_micro"]];
      },
    };
  }

  test.each([
    ["won: 90 minus their cost of 45", 1_000_000, "45000000"],
    ["lost: 0 minus 45", 0, "-45000000"],
    ["are paid half: 45 minus 45", 500_000, "0"],
    ["are paid a third: 29.999970 minus 45", 333_333, "-15000030"],
  ])("open shares that %s settle alike whether the payout or the fills arrive first", async (_, firstPpm, expected) => {
    for (const order of [
      ["buy", "resolve"],
      ["resolve", "buy"],
    ] as const) {
      const trader = await holder();
      for (const step of order) await (step === "buy" ? trader.buy() : trader.resolve(firstPpm));
      expect(await trader.settled()).toEqual([expected, expected, "9000000"]);
    }
  });

  test("a repeated resolution changes nothing, a reversed one settles again, and a withdrawn one reopens the position", async () => {
    const trader = await holder();
    await trader.buy();
    await trader.resolve(1_000_000);
    await trader.resolve(1_000_000);
    expect(await trader.settled()).toEqual(["45000000", "45000000", "9000000"]);
    await trader.resolve(0);
    expect(await trader.settled()).toEqual(["-45000000", "-45000000", "9000000"]);
    await trader.resolve(null);
    expect(await trader.settled()).toEqual([null, "0", "9000000"]);
  });

  test("a resolution without payouts neither removes earlier payouts nor creates new ones", async () => {
    const trader = await holder();
    await trader.buy();
    await trader.resolveWithoutPayouts();
    expect(await trader.settled()).toEqual([null, "0", "9000000"]);
    await trader.resolve(1_000_000);
    await trader.resolveWithoutPayouts();
    expect(await trader.settled()).toEqual(["45000000", "45000000", "9000000"]);
    await trader.resolve(0);
    expect(await trader.settled()).toEqual(["-45000000", "-45000000", "9000000"]);
  });
});
