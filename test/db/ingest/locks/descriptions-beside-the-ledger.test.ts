import type { Pool } from "@neondatabase/serverless";
import { beforeEach, describe, expect, inject, test } from "vitest";
import { createRandom } from "../../../../scripts/provider/simulate/random.ts";
import { inTransaction } from "../../../../src/db/client.ts";
import { applyMarkets, describeMarkets } from "../../../../src/ingest/markets/apply-markets.ts";
import { applyResolutions } from "../../../../src/ingest/markets/apply-resolutions.ts";
import { listEvents } from "../../../../src/ingest/markets/write-events.ts";
import type { ProviderMarket } from "../../../../src/platform/provider.ts";
import { beforeEachQuery, textsOf } from "../../../support/database/before-each-query.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { joinIngest } from "../../../support/ingest/ingest-under-test.ts";
import { waitForLedgerWaiters, whileLedgerIsLocked } from "../../../support/ingest/ledger-lock.ts";
import { aGameEvent } from "../../../support/ingest/provider/provider-games.ts";
import { aProviderMarket, aResolution } from "../../../support/ingest/provider/provider-markets.ts";
import { aTrade, conditionOf, pageOf, tokenOf } from "../../../support/ingest/provider/provider-trades.ts";
import { readWholeDatabase } from "../../../support/ingest/whole-database.ts";
import { ChangingMarkets, drawTokenOf } from "../../../support/ingest/worlds/changing-markets.ts";

const SEED = inject("seed");
const FIRST = new Date("2026-11-20T12:00:00Z");
const after = (seconds: number) => new Date(FIRST.getTime() + seconds * 1_000);
const { event } = aGameEvent(1, { slug: "event-1" });

let database: TestDatabase;
let pool: Pool;
let other: Pool;
beforeEach(async () => {
  database = await createTestDatabase();
  [pool, other] = [database.openPool(), database.openPool()];
});

const described = (market: number, facts: Partial<ProviderMarket> = {}): ProviderMarket =>
  aProviderMarket(market, { event, category: "Sports", volumeUsd: "10", endAt: after(86_400), ...facts });

const quoted = (market: ProviderMarket): ProviderMarket => ({
  ...market,
  outcomes: market.outcomes.map((outcome) => ({ ...outcome, price: "0.3", bestBid: "0.3", bestAsk: "0.32" })),
});

const read = async (text: string) => (await pool.query<Record<string, unknown>>(text)).rows;

describe("while another transaction holds the ledger lock", () => {
  test("market objects that differ in figures are stored", async () => {
    await applyMarkets(pool, [described(1), described(2)], [], FIRST);
    const figures = {
      volumeUsd: "12.5",
      volume24hUsd: "2",
      liquidityUsd: "3",
      image: "i",
      icon: "c",
      description: "d",
    };
    await whileLedgerIsLocked(other, () =>
      applyMarkets(pool, [quoted(described(1, figures)), described(2)], [], after(300)),
    );
    expect(
      await read(
        `select volume_usd, volume_24h_usd, liquidity_usd, image, icon, description, figures_as_of = '${after(300).toISOString()}' as is_new
         from markets order by condition_id`,
      ),
    ).toEqual([
      {
        volume_usd: "12.5",
        volume_24h_usd: "2",
        liquidity_usd: "3",
        image: "i",
        icon: "c",
        description: "d",
        is_new: true,
      },
      {
        ...{ volume_usd: "10", volume_24h_usd: null, liquidity_usd: null, image: null, icon: null, description: null },
        is_new: true,
      },
    ]);
    expect(await read(`select distinct price, best_bid, book_source from outcomes order by 1 limit 1`)).toEqual([
      { price: "0.3", best_bid: "0.3", book_source: "gamma_market" },
    ]);
  });

  const [yes, no] = described(1).outcomes;
  if (yes === undefined || no === undefined) throw new Error("the market has no outcomes");

  test.each<[string, Partial<ProviderMarket>, string, unknown]>([
    ["title", { title: "Another" }, "m.title", "Another"],
    ["category", { category: "Politics" }, "m.category", "Politics"],
    ["tags", { tags: ["NBA"] }, "m.tags", ["NBA"]],
    ["kickoff", { gameStartAt: FIRST }, "m.game_start_at is not null", true],
    ["end", { endAt: null }, "m.end_at", null],
    ["close", { closed: true }, "m.closed", true],
    ["resolution status", { resolutionStatus: "proposed" }, "m.resolution_status", "proposed"],
    ["claim of a result", { resolutionStatus: "resolved" }, `m.result_due_at = '${after(300).toISOString()}'`, true],
    ["event", { event: null }, "m.event_id", null],
    ["event's series", { event: { ...event, seriesSlug: "nfl" } }, "e.series_slug", "nfl"],
    ["event's title", { event: { ...event, title: "Another" } }, "e.title", "Another"],
    ["outcome's label", { outcomes: [yes, { ...no, label: "Never" }] }, "o.label", "Never"],
    [
      "outcomes' order",
      {
        outcomes: [
          { ...yes, outcomeIndex: 1 },
          { ...no, outcomeIndex: 0 },
        ],
      },
      "o.outcome_index",
      0,
    ],
    [
      "number of outcomes",
      { outcomes: [yes, no, { ...no, tokenId: drawTokenOf(1), outcomeIndex: 2 }] },
      "(select count(*)::int from outcomes where market_id = m.id)",
      3,
    ],
  ])("a market with another %s waits, and the unchanged market beside it does not", async (_, facts, column, value) => {
    await applyMarkets(pool, [described(1)], [], FIRST);
    await applyMarkets(pool, [described(2, { event: null })], [], FIRST);
    const select = `select ${column} as value from markets m left join provider_events e on e.id = m.event_id
      join outcomes o on o.market_id = m.id where m.condition_id = '${conditionOf(1)}' and o.token_id = '${tokenOf(1, 1)}'`;
    const { running } = await whileLedgerIsLocked(other, async () => {
      const changed = [
        described(1, { resolutionStatus: null, ...facts }),
        described(2, { event: null, volumeUsd: "11" }),
      ];
      const applied = applyMarkets(pool, changed, [], after(300));
      const watcher = database.openPool();
      await waitForLedgerWaiters(watcher);
      expect((await watcher.query(select)).rows).not.toEqual([{ value }]);
      expect((await watcher.query(`select volume_usd from markets where provider_market_id = '2'`)).rows).toEqual([
        { volume_usd: "11" },
      ]);
      return { running: applied };
    });
    await running;
    expect(await read(select)).toEqual([{ value }]);
  });

  test("a market of a trade that is described for the first time waits", async () => {
    await joinIngest(pool).apply("all", pageOf([aTrade()]));
    const { running } = await whileLedgerIsLocked(other, async () => {
      const applied = applyMarkets(pool, [described(1)], [], FIRST);
      await waitForLedgerWaiters(database.openPool());
      return { running: applied };
    });
    await running;
    expect(await read(`select hydrated_at is not null as is_hydrated from markets`)).toEqual([{ is_hydrated: true }]);
  });
});

/** Applies an object while the ledger is locked; it has to wait for the ledger. */
async function waitsForTheLedger(through: Pool, market: ProviderMarket): Promise<void> {
  const { running } = await whileLedgerIsLocked(other, async () => {
    const applied = applyMarkets(through, [market], [], after(300));
    await waitForLedgerWaiters(database.openPool());
    return { running: applied };
  });
  await running;
}

test("a market without an event waits when its object names an event that is not stored", async () => {
  await applyMarkets(pool, [described(1, { event: null })], [], FIRST);
  await waitsForTheLedger(pool, described(1, { event: { ...event, seriesSlug: null } }));
  expect(await read(`select e.slug from markets m join provider_events e on e.id = m.event_id`)).toEqual([
    { slug: "event-1" },
  ]);
});

test("a market whose object names the token of another market waits", async () => {
  await applyMarkets(pool, [described(1), described(2)], [], FIRST);
  const [yes, no] = described(1).outcomes;
  if (yes === undefined || no === undefined) throw new Error("the market has no outcomes");
  await waitsForTheLedger(pool, described(1, { outcomes: [yes, { ...no, tokenId: tokenOf(2, 1) }] }));
});

test("a market that is settled while its object is read waits", async () => {
  await applyMarkets(pool, [described(1)], [], FIRST);
  let isSettled = false;
  const watched = beforeEachQuery(pool, async (statement) => {
    if (isSettled || !textsOf(statement).includes("begin")) return;
    isSettled = true;
    await database.openPool().query(`update markets set settled_on = '2026-11-20'`);
  });
  await waitsForTheLedger(watched, described(1));
  expect(isSettled).toBe(true);
});

test("a result check that is postponed while an object is read does not postpone the result that the object claims", async () => {
  const claimed = described(1, { resolutionStatus: "resolved" });
  await applyMarkets(pool, [claimed], [], FIRST);
  let isPostponed = false;
  const watched = beforeEachQuery(pool, async (statement) => {
    if (isPostponed || !textsOf(statement).includes("begin")) return;
    isPostponed = true;
    await other.query(`update markets set result_due_at = $1`, [after(900)]);
  });
  await applyMarkets(watched, [claimed], [], after(300));
  expect(isPostponed).toBe(true);
  expect(await read(`select result_due_at = '${after(300).toISOString()}' as is_now from markets`)).toEqual([
    { is_now: true },
  ]);
});

/** Starts works, each once the one before waits for the ledger lock: they get it in this order. */
async function inThisOrder(...works: readonly (() => Promise<unknown>)[]): Promise<void> {
  const { running } = await whileLedgerIsLocked(other, async () => {
    const watcher = database.openPool();
    const started: Promise<unknown>[] = [];
    for (const [index, work] of works.entries()) {
      started.push(work());
      await waitForLedgerWaiters(watcher, index + 1);
    }
    return { running: started };
  });
  await Promise.all(running);
}

const resolve = (through: Pool) =>
  inTransaction(through, (session) =>
    applyResolutions(session, [conditionOf(1)], [aResolution(1, 1_000_000)], [], after(600)),
  );

test.each([["resolution", "description"] as const, ["description", "resolution"] as const])(
  "positions are settled when a %s comes before a %s that gives their outcome its index",
  async (first, _) => {
    await joinIngest(pool).apply("all", pageOf([{ ...aTrade(), outcomeIndex: null }]));
    const [one, two] = [database.openPool(), database.openPool()];
    const works = [() => resolve(one), () => applyMarkets(two, [described(1)], [], after(300))];
    await inThisOrder(...(first === "resolution" ? works : works.toReversed()));
    // Ten shares for five dollars pay ten.
    expect(await read(`select settled_micro from positions`)).toEqual([{ settled_micro: "5000000" }]);
    expect(await read(`select settled_micro from trader_totals`)).toEqual([{ settled_micro: "5000000" }]);
  },
);

test.each([["capture", "change"] as const, ["change", "capture"] as const])(
  "a large trade has the new category when its %s comes before the %s",
  async (first, _) => {
    await applyMarkets(pool, [described(1)], [], FIRST);
    const [one, two] = [database.openPool(), database.openPool()];
    const works = [
      () => joinIngest(one).apply("takers", pageOf([aTrade({ sharesMicro: 90_000_000_000n })])),
      () => applyMarkets(two, [described(1, { category: "Politics" })], [], after(300)),
    ];
    await inThisOrder(...(first === "capture" ? works : works.toReversed()));
    expect(await read(`select category from large_trades`)).toEqual([{ category: "Politics" }]);
  },
);

const PRECISE = {
  markets: `select to_jsonb(x) - '{id,event_id,hydrate_enqueued_at,resolution_checked_at}'::text[] as row from markets x order by condition_id`,
  outcomes: `select to_jsonb(x) - '{id,market_id}'::text[] as row from outcomes x order by token_id`,
  events: `select to_jsonb(x) - 'id' as row from provider_events x order by slug`,
};

test("a mix of market objects ends in the same rows as under the ledger lock alone", async () => {
  const second = (await createTestDatabase()).openPool();
  const ways = [
    { own: pool, apply: (rows: ProviderMarket[], at: Date) => applyMarkets(pool, rows, [], at) },
    {
      own: second,
      apply: (rows: ProviderMarket[], at: Date) =>
        inTransaction(second, (session) => describeMarkets(session, rows, listEvents(rows), at)),
    },
  ];
  const random = createRandom("a mix of market objects", SEED);
  const markets = new ChangingMarkets(random, 20, FIRST.getTime());
  for (let round = 0; round < 60; round++) {
    const trades = Array.from({ length: 3 }, (_, n) =>
      aTrade({
        ...{
          n: round * 3 + n,
          wallet: random.integer(1, 9),
          market: random.integer(1, 22),
          outcome: random.pick([0, 1]),
        },
        ...{ sharesMicro: random.pick([10_000_000n, 90_000_000_000n]), atSeconds: 1_760_000_000 + round },
      }),
    );
    const rows = markets.read(8);
    const resolved = random.integer(1, 20);
    const ppm = random.pick([null, 0, 1_000_000]);
    const at = after(round * 120);
    for (const { own, apply } of ways) {
      await joinIngest(own).apply("takers", pageOf(trades));
      await apply(rows, at);
      await inTransaction(own, (session) =>
        applyResolutions(session, [conditionOf(resolved)], [aResolution(resolved, ppm, FIRST)], [], at),
      );
    }
  }
  for (const text of Object.values(PRECISE))
    expect((await pool.query(text)).rows).toEqual((await second.query(text)).rows);
  expect(await readWholeDatabase(pool)).toEqual(await readWholeDatabase(second));
});
