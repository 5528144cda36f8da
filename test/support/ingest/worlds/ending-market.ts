import { sql } from "drizzle-orm";
import { sessionOf } from "../../../../src/db/client.ts";
import { m, o, p } from "../../../../src/db/aliases.ts";
import { at, marketPhase, outcomePrice } from "../../../../src/db/fragments/market-price.ts";
import { applyMarkets } from "../../../../src/ingest/markets/apply-markets.ts";
import { handleMessage } from "../../../../src/ingest/queue/handle-message.ts";
import { RowIdCache } from "../../../../src/ingest/feeds/row-id-cache.ts";
import { checkResults } from "../../../../src/ingest/markets/results/check-results.ts";
import { valuePositions } from "../../../../src/ingest/ledger/value-positions.ts";
import type { IngestMessage } from "../../../../src/messages/ingest-message.ts";
import type { Provider, ProviderBook, ProviderMarket, ProviderResolution } from "../../../../src/platform/provider.ts";
import { createTestDatabase } from "../../database/database.ts";
import { joinIngest } from "../ingest-under-test.ts";
import { aProviderMarket } from "../provider/provider-markets.ts";
import { aTrade, conditionOf, pageOf, tokenOf } from "../provider/provider-trades.ts";
import { aPagedProvider } from "../provider/paged-provider.ts";

/** The market's published end. */
export const END = new Date("2026-11-20T12:00:00Z");
/** A time this many seconds after the end. */
export const after = (seconds: number) => new Date(END.getTime() + seconds * 1000);
export const TOKEN = tokenOf(1, 0);
export const CONDITION = conditionOf(1);

/** The provider's current data on the market. */
export interface ProviderMarketState {
  market: Partial<ProviderMarket>;
  resolutions: readonly ProviderResolution[];
  books: readonly ProviderBook[];
}

export interface MarketView {
  /** By the rule of src/db/fragments/market-price.ts. */
  readonly phase: string;
  readonly price: number | null;
  /** The price at which jobs value the position. */
  readonly mark: number | null;
  readonly bid: number | null;
  /** Value of ten shares that cost two dollars, in dollars. */
  readonly value: number | null;
  readonly settled: number | null;
  /** Seconds after the end; null when no result check is scheduled. */
  readonly due: number | null;
  readonly isChecked: boolean;
}

/** A book of the first outcome. */
export const aBook = (
  bestBid: string | null,
  bestAsk: string | null,
  asOf: Date,
  lastTradePrice: string | null = null,
): ProviderBook => ({
  tokenId: TOKEN,
  bestBid,
  bestAsk,
  bidDepthUsd: null,
  askDepthUsd: null,
  lastTradePrice,
  asOf,
});

/**
 * A market described an hour before its end. One trader bought ten shares of the first outcome at 0.2, a
 * minute before the end.
 */
export async function openEndingMarket(first: Partial<ProviderMarket> = {}) {
  const database = await createTestDatabase();
  const pool = database.openPool();
  const known = new RowIdCache();
  const saying: ProviderMarketState = { market: { endAt: END, ...first }, resolutions: [], books: [] };
  const asked: string[][] = [];
  const hastened: string[] = [];
  const object = () => aProviderMarket(1, saying.market);
  const provider: Provider = {
    ...aPagedProvider({ takers: [], all: [], activity: {}, markets: [], resolutions: [] }),
    findMarkets: async (ids) => pageOf(ids.includes(CONDITION) ? [object()] : []),
    findBooks: async (ids) => pageOf(saying.books.filter(({ tokenId }) => ids.includes(tokenId))),
    findResolutions: async (ids) => {
      asked.push([...ids]);
      return pageOf(saying.resolutions);
    },
  };
  const describeAt = (now: Date) => applyMarkets(pool, [object()], [], now);
  const handle = (message: IngestMessage, now: Date) =>
    handleMessage(message, { pool, provider, rowIds: known, now: () => now });

  await describeAt(after(-3_600));
  await joinIngest(pool).apply("all", pageOf([aTrade({ price: "0.2", atSeconds: after(-60).getTime() / 1000 })]));
  await valuePositions(pool);
  return {
    pool,
    provider,
    saying,
    asked,
    hastened,
    describeAt,
    /** The books job's message. */
    readBooks: (now: Date) => handle({ kind: "refresh_books", token_ids: [TOKEN] }, now),
    /**
     * Runs the results job, the messages it enqueues, and then the position values. @returns whether anything
     * was due
     */
    async turn(now: Date): Promise<boolean> {
      const queue: IngestMessage[] = [];
      const enqueue = async (messages: readonly IngestMessage[]) => void queue.push(...messages);
      const scheduleWithin = (job: string) => void hastened.push(job);
      const checked = await checkResults({ pool, provider, now: () => now.getTime(), enqueue, scheduleWithin });
      for (const message of queue) await handle(message, now);
      // Allows the next run to describe the market again.
      await pool.query("update markets set hydrate_enqueued_at = hydrate_enqueued_at - interval '1 hour'");
      await valuePositions(pool);
      return checked > 0;
    },
    async shown(now: Date): Promise<MarketView> {
      const priced = { market: m, outcome: o, now: at(now) };
      const { rows } = await sessionOf(pool).execute<MarketView & Record<string, unknown>>(
        sql`select ${marketPhase(priced)} as phase, (${outcomePrice(priced)})::float8 as price,
           ${o.markPrice}::float8 as mark, ${o.bestBid}::float8 as bid,
           ${p.valueMicro} / 1e6::float8 as value, ${p.settledMicro} / 1e6::float8 as settled,
           extract(epoch from ${m.resultDueAt} - ${END.toISOString()}::timestamptz)::float8 as due,
           ${m.resolutionCheckedAt} is not null as "isChecked"
         from ${m} join ${o} on ${o.marketId} = ${m.id} join ${p} on ${p.outcomeId} = ${o.id}
         where ${o.tokenId} = ${TOKEN}`,
      );
      const [row] = rows;
      if (row === undefined) throw new Error("the market is not stored");
      return row;
    },
  };
}
