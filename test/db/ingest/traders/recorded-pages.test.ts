import type { Pool } from "@neondatabase/serverless";
import { beforeEach, describe, expect, test } from "vitest";
import type { ProviderActivity, ProviderPage } from "../../../../src/platform/provider.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { joinIngest } from "../../../support/ingest/ingest-under-test.ts";
import { waitForLedgerWaiters, waitForRowWaiters, whileLedgerIsLocked } from "../../../support/ingest/ledger-lock.ts";
import { aComboTrade } from "../../../support/ingest/provider/provider-combos.ts";
import { aProviderMarket } from "../../../support/ingest/provider/provider-markets.ts";
import { aTrade, anActivity, asActivity, pageOf, walletOf } from "../../../support/ingest/provider/provider-trades.ts";
import {
  anActivityProvider,
  followTrader,
  makeDue,
  readActivity,
  syncFollowedTrader,
} from "../../../support/ingest/worlds/followed-trader.ts";

const NOON = new Date("2025-10-09T12:00:00Z");
const LATER = new Date("2025-10-09T12:01:00Z");
const LAST_SECONDS = 1_760_000_099;
const TRADES = Array.from({ length: 100 }, (_, n) =>
  aTrade({ n: 1 + n, market: 1 + (n % 20), atSeconds: 1_760_000_000 + n }),
);
const ROWS = [...TRADES.map(asActivity), anActivity("REWARD"), anActivity("DEPOSIT", { n: 2, usdMicro: 7n })];

const COMBO_TRADE_MS = LAST_SECONDS * 1_000;
const COMBO_TRADE = asActivity(aComboTrade({ n: 600, market: 9_001, wallet: 1, atSeconds: LAST_SECONDS }));

let database: TestDatabase;
let pool: Pool;
let other: Pool;
/** A followed trader whose activity was read at noon. */
beforeEach(async () => {
  database = await createTestDatabase();
  [pool, other] = [database.openPool(), database.openPool()];
  await followTrader(pool, 1);
  await read(pageOf(ROWS), NOON);
});

async function sync(page: ProviderPage<ProviderActivity>, at: Date): Promise<void> {
  const provider = anActivityProvider(1, [page], [aProviderMarket(1)]);
  await readActivity(pool, provider, 1, at);
}

async function read(page: ProviderPage<ProviderActivity>, at = LATER): Promise<void> {
  await makeDue(database.openPool(), walletOf(1));
  await sync(page, at);
}

const epochMs = (column: string) => `(extract(epoch from ${column}) * 1000)::float8 as ${column}`;

const readSync = async () =>
  (
    await other.query(
      `select tier, ${["covered_to", "complete_at", "due_at"].map(epochMs).join(", ")}, gaps, last_error, failed_at
       from trader_syncs join traders on id = trader_id`,
    )
  ).rows[0];

const count = async (table: string) => (await other.query(`select count(*)::int as n from ${table}`)).rows[0];

const waitsForLedger = async (page: ProviderPage<ProviderActivity>): Promise<void> => {
  const { running } = await whileLedgerIsLocked(other, async () => {
    const started = read(page);
    started.catch(() => undefined);
    await waitForLedgerWaiters(database.openPool());
    return { running: started };
  });
  await running;
};

describe("a page whose rows are all recorded", () => {
  test("ends the walk without the ledger lock", async () => {
    await other.query(`update trader_syncs set last_error = 'status 500', failed_at = now()`);
    await whileLedgerIsLocked(database.openPool(), () => read(pageOf(ROWS)));
    expect(await readSync()).toEqual({
      ...{ tier: "warm", gaps: [], last_error: null, failed_at: null, complete_at: LATER.getTime() },
      covered_to: LAST_SECONDS * 1_000,
      due_at: LATER.getTime() + 30 * 60_000,
    });
    expect([await count("ledger_entries"), await count("trader_activity")]).toEqual([{ n: 100 }, { n: 2 }]);
  });

  test("is one that the trade feed has recorded, in another order and twice", async () => {
    const more = [aTrade({ n: 500, atSeconds: 1_760_000_500 }), aTrade({ n: 501, atSeconds: 1_760_000_501 })];
    await joinIngest(pool).apply("all", pageOf(more.toReversed()));
    const rows = [...more, ...more].map(asActivity);
    await whileLedgerIsLocked(database.openPool(), () => read(pageOf(rows)));
    expect(await readSync()).toMatchObject({ covered_to: 1_760_000_501_000, complete_at: LATER.getTime() });
  });

  test("may be empty", async () => {
    await whileLedgerIsLocked(database.openPool(), () => read(pageOf([])));
    expect(await readSync()).toMatchObject({ covered_to: LAST_SECONDS * 1_000, complete_at: LATER.getTime() });
  });

  test("keeps the gaps, and books what is pending", async () => {
    await other.query(`update trader_syncs set gaps = '{split,unreadable}'`);
    await read(pageOf(ROWS));
    // No split is pending any longer.
    expect(await readSync()).toMatchObject({ gaps: ["unreadable"] });
  });
});

describe("a recorded page that closes no gap and opens none ends without the ledger lock", () => {
  const endsWithoutLedger = async (...rows: readonly ProviderActivity[]) => {
    await whileLedgerIsLocked(database.openPool(), () => read(pageOf([...ROWS, ...rows])));
    expect(await readSync()).toMatchObject({ gaps: [], complete_at: LATER.getTime() });
  };

  test("with a split and a merge that are booked", async () => {
    const moves = [anActivity("SPLIT", { n: 7 }), anActivity("MERGE", { n: 8 })];
    await read(pageOf(moves), NOON);
    await endsWithoutLedger(...moves);
    expect(await count("ledger_entries where kind in ('split', 'merge')")).toEqual({ n: 4 });
  });

  test("with a conversion that is booked", async () => {
    const conversion = anActivity("CONVERSION", { n: 8 });
    await read(pageOf([conversion]), NOON);
    await other.query(
      `insert into ledger_entries (tx_hash, trader_id, outcome_id, market_id, kind, shares_micro, ordinal, usd_micro, price, traded_at)
       select a.tx_hash, a.trader_id, e.outcome_id, e.market_id, 'convert_out', a.shares_micro, 0, 0, 0.5, a.happened_at
       from trader_activity a cross join (select * from ledger_entries limit 1) e where a.type = 'CONVERSION'`,
    );
    await other.query(`update trader_syncs set gaps = '{}'`);
    await endsWithoutLedger(conversion);
  });

  describe("with a trade in a known combo", () => {
    /** The combo is known, and the trader's combos were read this long after the trade. */
    const readCombosAfter = async (ms: number, ...rows: readonly ProviderActivity[]) => {
      await read(pageOf([COMBO_TRADE, ...rows]), NOON);
      await other.query(`update markets set hydrated_at = now() where condition_id like '0x03%'`);
      await other.query(
        `update trader_syncs set gaps = '{}', combos_due_at = null, combos_read_at = to_timestamp($1)`,
        [(COMBO_TRADE_MS + ms) / 1_000],
      );
    };
    const areCombosDue = async () =>
      (await other.query(`select combos_due_at is not null as are_due from trader_syncs`)).rows[0]?.are_due;

    test("that the last read of combos has seen", async () => {
      await readCombosAfter(180_000);
      await endsWithoutLedger(COMBO_TRADE);
      expect(await areCombosDue()).toBe(false);
    });

    test("and a split of it: its legs are not in the ledger", async () => {
      const split = anActivity("SPLIT", { n: 601, atSeconds: LAST_SECONDS });
      if (split.kind !== "other" || COMBO_TRADE.kind !== "trade") throw new Error("the rows have other kinds");
      const ofCombo: ProviderActivity = {
        ...split,
        activity: { ...split.activity, market: COMBO_TRADE.trade.market },
      };
      await readCombosAfter(180_000, ofCombo);
      await endsWithoutLedger(COMBO_TRADE, ofCombo);
      expect(await count("ledger_entries where kind = 'split'")).toEqual({ n: 0 });
    });

    test("that it may not have seen: combos are due", async () => {
      await readCombosAfter(179_999);
      await endsWithoutLedger(COMBO_TRADE);
      expect(await areCombosDue()).toBe(true);
    });
  });
});

test("a recorded page that follows news books what the page before left pending", async () => {
  const split = anActivity("SPLIT", { n: 300, market: 30, atSeconds: LAST_SECONDS + 1 });
  const provider = anActivityProvider(1, [pageOf([split]), pageOf(ROWS)], [aProviderMarket(30)]);
  let calls = 0;
  // The market is not listed yet when its split is read.
  const findMarkets: typeof provider.findMarkets = async (ids) =>
    calls++ === 0 ? pageOf([]) : provider.findMarkets(ids);
  await syncFollowedTrader(pool, { ...provider, findMarkets }, 1, LATER);
  expect(await readSync()).toMatchObject({ gaps: [], complete_at: LATER.getTime() });
  expect(await count("ledger_entries where kind = 'split'")).toEqual({ n: 2 });
});

describe("while the feed of all parties runs", () => {
  /** The feed has read up to this time before the read. */
  const feedUpTo = (ms: number) =>
    other.query(
      `insert into ingest_checkpoints (feed, state, updated_at) values ('trades:all', jsonb_build_object('watermarkMs', $1::float8), now())
       on conflict (feed) do update set state = excluded.state`,
      [ms],
    );
  const newAt = (seconds: number, market = 1) => asActivity(aTrade({ n: 500, market, atSeconds: seconds }));
  const FEED_SECONDS = LATER.getTime() / 1_000 - 8;
  beforeEach(() => feedUpTo(FEED_SECONDS * 1_000));

  test.each([
    ["of a known market", 1],
    ["of a market that is not stored", 77],
  ])("a trade %s that it may still show is left to it, and the next read begins before it", async (_, market) => {
    const news = newAt(FEED_SECONDS - 19, market);
    await whileLedgerIsLocked(database.openPool(), () => read(pageOf([...ROWS, news])));
    expect(await readSync()).toMatchObject({
      covered_to: (FEED_SECONDS - 19) * 1_000 - 1,
      complete_at: LATER.getTime(),
    });
    expect(await count("ledger_entries")).toEqual({ n: 100 });
    // The feed has not shown it.
    await feedUpTo((FEED_SECONDS + 60) * 1_000);
    await read(pageOf([...ROWS, news]), new Date(LATER.getTime() + 60_000));
    expect(await count("ledger_entries")).toEqual({ n: 101 });
    expect(await readSync()).toMatchObject({ covered_to: (FEED_SECONDS - 19) * 1_000 });
  });

  test("a trade that it should have shown is recorded", async () => {
    await waitsForLedger(pageOf([...ROWS, newAt(FEED_SECONDS - 20)]));
    expect(await count("ledger_entries")).toEqual({ n: 101 });
  });

  test("a trade with a fee is recorded: the feed has none", async () => {
    const { trade } = newAt(FEED_SECONDS) as { trade: (typeof TRADES)[number] };
    await waitsForLedger(pageOf([asActivity({ ...trade, feeMicro: 5n })]));
    expect(await count("ledger_entries")).toEqual({ n: 101 });
  });

  test("a page with a split records its trades too", async () => {
    await read(pageOf([newAt(FEED_SECONDS), anActivity("SPLIT", { n: 7, market: 1, atSeconds: FEED_SECONDS })]));
    expect(await count("ledger_entries where kind = 'buy'")).toEqual({ n: 101 });
  });

  test("a trade is recorded when the feed is a minute behind", async () => {
    await feedUpTo(LATER.getTime() - 60_000);
    await waitsForLedger(pageOf([...ROWS, newAt(FEED_SECONDS)]));
    expect(await count("ledger_entries")).toEqual({ n: 101 });
  });
});

describe("a page waits for the ledger lock", () => {
  test("with a new trade", async () => {
    await waitsForLedger(pageOf([...ROWS, asActivity(aTrade({ n: 500, atSeconds: 1_760_000_500 }))]));
    expect(await count("ledger_entries")).toEqual({ n: 101 });
  });

  test("with a repeat of a recorded trade in its transaction", async () => {
    const [first] = TRADES;
    if (first === undefined) throw new Error("there is no trade");
    await waitsForLedger(pageOf([first, first].map(asActivity)));
    expect(await count("ledger_entries")).toEqual({ n: 101 });
  });

  test("with the fee of a recorded trade", async () => {
    await waitsForLedger(pageOf(TRADES.slice(0, 1).map((trade) => asActivity({ ...trade, feeMicro: 5n }))));
    expect((await other.query(`select fee_micro from ledger_entries where fee_micro is not null`)).rows).toEqual([
      { fee_micro: "5" },
    ]);
  });

  test("with a reward of another amount of shares", async () => {
    await waitsForLedger(pageOf([...ROWS, anActivity("REWARD", { sharesMicro: 11_000_000n })]));
    expect(await count("trader_activity")).toEqual({ n: 3 });
  });

  test.each([
    ["a recorded split of an undescribed market", anActivity("SPLIT", { n: 7, market: 30 }), ["split"]],
    ["a recorded conversion that is not booked", anActivity("CONVERSION", { n: 8 }), ["conversion"]],
    ["a recorded migration", anActivity("MIGRATION", { n: 9 }), ["migration"]],
    ["recorded activity in an unknown combo", COMBO_TRADE, ["combination"]],
  ])("with %s, which opens a gap", async (_, row, gaps) => {
    await read(pageOf([row]), NOON);
    await other.query(`update trader_syncs set combos_read_at = now(), gaps = '{}'`);
    await waitsForLedger(pageOf([row]));
    expect(await readSync()).toMatchObject({ gaps });
  });

  test("with a recorded split whose legs are not booked", async () => {
    const split = anActivity("SPLIT", { n: 7 });
    await read(pageOf([split]), NOON);
    await other.query(`delete from ledger_entries where kind = 'split' and usd_micro > 0 and id % 2 = 0`);
    await waitsForLedger(pageOf([split]));
    expect(await count("ledger_entries where kind = 'split'")).toEqual({ n: 2 });
  });

  test("with a row that could not be parsed", async () => {
    await waitsForLedger(pageOf(ROWS, [{ record: { type: "TRADE" }, reason: "size" }]));
    expect(await readSync()).toMatchObject({ gaps: ["unreadable"] });
  });

  test("when the trader changes its tier", async () => {
    await other.query(`update traders set tier = 'hot'`);
    await waitsForLedger(pageOf(ROWS));
    expect(await readSync()).toMatchObject({ tier: "warm" });
  });
});

/** Reads a recorded page while another transaction has written the trader, and commits once the read waits for it. */
async function readBeside(...changes: readonly string[]): Promise<void> {
  await makeDue(database.openPool(), walletOf(1));
  const client = await other.connect();
  await client.query("begin");
  for (const change of changes) await client.query(change);
  const running = sync(pageOf(ROWS), LATER);
  await waitForRowWaiters(database.openPool());
  await client.query("commit");
  client.release();
  await running;
}

describe("while a page of trades raises the trader", () => {
  // A trader that is due already has no later due time by it.
  const LOCK = `update trader_syncs set due_at = least(due_at, now())`;

  test("the trader stays due", async () => {
    await readBeside(`update traders set tier = 'hot'`, LOCK);
    expect(await readSync()).toMatchObject({ tier: "hot", complete_at: NOON.getTime() });
    expect((await other.query(`select from trader_syncs where due_at <= now()`)).rows).toHaveLength(1);
  });

  test("a trader that is not raised is saved", async () => {
    await readBeside(LOCK);
    expect(await readSync()).toMatchObject({ tier: "warm", complete_at: LATER.getTime() });
  });
});
