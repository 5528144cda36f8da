import type { Pool } from "@neondatabase/serverless";
import pg from "pg";
import { expect } from "vitest";
import { recompute } from "../../../../scripts/recompute/recompute.ts";
import type { StoredDifference } from "../../../../scripts/recompute/figures.ts";
import { inTransaction } from "../../../../src/db/client.ts";
import { readCombos } from "../../../../src/ingest/combos/read-combos.ts";
import { applyMarkets } from "../../../../src/ingest/markets/apply-markets.ts";
import { applyResolutions } from "../../../../src/ingest/markets/apply-resolutions.ts";
import { chunk } from "../../../../src/lib/chunk.ts";
import type {
  Provider,
  ProviderActivity,
  ProviderComboEvent,
  ProviderComboPosition,
  ProviderTrade,
} from "../../../../src/platform/provider.ts";
import type { TestDatabase } from "../../database/database.ts";
import { joinIngest, openIngest } from "../ingest-under-test.ts";
import { aLegMarket } from "../provider/provider-combos.ts";
import { aProviderMarket, aResolution } from "../provider/provider-markets.ts";
import { aPagedProvider } from "../provider/paged-provider.ts";
import { asActivity, conditionOf, pageOf, walletOf } from "../provider/provider-trades.ts";
import { syncFollowedTrader } from "./followed-trader.ts";

/** What the provider says of the trader's combos. Lists may be replaced between reads. */
export interface ComboListing {
  positions: readonly ProviderComboPosition[];
  events: readonly ProviderComboEvent[];
  /** Numbers of the markets that the provider finds by position id. */
  legMarkets: readonly number[];
  /** Rows of a page of the combo activity; all on one page when absent. */
  readonly eventsPerPage?: number;
}

/** A followed trader (wallet 1) over an empty database, and the provider's lists of its combos. */
export async function aComboTrader(database: TestDatabase, listing: ComboListing) {
  const pool = database.openPool();
  await openIngest(pool);
  const provider = (activity: readonly ProviderActivity[]): Provider =>
    aPagedProvider({
      takers: [],
      all: [],
      activity: { [walletOf(1)]: [pageOf(activity)] },
      markets: [],
      resolutions: [],
      comboPositions: { [walletOf(1)]: [pageOf(listing.positions)] },
      comboActivity: {
        [walletOf(1)]: chunk(listing.events, listing.eventsPerPage ?? 1_000).map((events) => pageOf(events)),
      },
      legMarkets: listing.legMarkets.map(aLegMarket),
    });
  const now = () => new Date();
  return {
    pool,
    /** Fills that the trade feed shows. */
    trade: (...trades: ProviderTrade[]) => joinIngest(pool).apply("all", pageOf(trades)),
    /** Follows the trader and reads its whole activity. */
    async sync(...activity: (ProviderTrade | ProviderActivity)[]) {
      await pool.query(`insert into traders (address) values ($1) on conflict do nothing`, [walletOf(1)]);
      await pool.query(
        `insert into trader_syncs (trader_id) select id from traders where address = $1 on conflict do nothing`,
        [walletOf(1)],
      );
      const rows = activity.map((row) => ("kind" in row ? row : asActivity(row)));
      await syncFollowedTrader(pool, provider(rows), 1, now());
    },
    /** @param failsAt the list at which the provider stops to respond */
    readCombos: (wallet = 1, { failsAt }: { failsAt?: "activity" } = {}) => {
      const cutOff = () => Promise.reject(new Error("cut off"));
      const all = provider([]);
      const given = failsAt === "activity" ? { ...all, listComboActivity: cutOff } : all;
      return readCombos(pool, given, walletOf(wallet), now);
    },
    describe: (...markets: number[]) =>
      applyMarkets(
        pool,
        markets.map((market) => aProviderMarket(market)),
        [],
        new Date(0),
      ),
    /** The first outcome's payout in millionths; null takes the result back. */
    resolve: (market: number, firstPpm: number | null, at = new Date(1_770_000_000_000)) =>
      inTransaction(pool, (session) =>
        applyResolutions(session, [conditionOf(market)], [aResolution(market, firstPpm, at)], [], now()),
      ),
    totals: async (wallet = 1) =>
      one(
        pool,
        `select t.* from trader_totals t join traders w on w.id = t.trader_id
      where w.address = $1`,
        walletOf(wallet),
      ),
    gaps: async () =>
      (
        await one(
          pool,
          `select s.gaps from trader_syncs s join traders w on w.id = s.trader_id
      where w.address = $1`,
          walletOf(1),
        )
      )["gaps"],
    combo: async (conditionId: string) =>
      one(
        pool,
        `select c.*, m.payouts_ppm, m.settled_on::text as settled_on, m.hydrated_at is not null as is_known
      from combos c join markets m on m.id = c.market_id where m.condition_id = $1`,
        conditionId,
      ),
    legs: async (conditionId: string) =>
      (
        await pool.query(
          `select l.leg_index, l.state, l.payout_ppm, l.provider_status, l.leg_market_id is not null as is_linked
       from combo_legs l join markets m on m.id = l.market_id where m.condition_id = $1 order by l.leg_index`,
          [conditionId],
        )
      ).rows,
    position: async (tokenId: string) =>
      one(
        pool,
        `select p.* from positions p join outcomes o on o.id = p.outcome_id
      where o.token_id = $1`,
        tokenId,
      ),
    /** The stored figures equal the fold of every entry from nothing. */
    async expectRecomputed() {
      const client = new pg.Client({ connectionString: database.databaseUrl });
      await client.connect();
      const differences: StoredDifference[] = [];
      await recompute(client, { verify: true, onDifference: (difference) => differences.push(difference) });
      await client.end();
      expect(differences).toEqual([]);
    },
  };
}

export type ComboTrader = Awaited<ReturnType<typeof aComboTrader>>;

async function one(pool: Pool, text: string, value: string): Promise<Readonly<Record<string, unknown>>> {
  const { rows } = await pool.query<Record<string, unknown>>(text, [value]);
  if (rows[0] === undefined) throw new Error(`no row for ${value}`);
  return rows[0];
}
