import { inTransaction } from "../../../src/db/client.ts";
import { atInstant, marketPhase, priceOf } from "../../../src/db/market-price.ts";
import type { JobName } from "../../../src/domain/jobs.ts";
import { applyMarkets } from "../../../src/ingest/apply-markets.ts";
import { handleMessage } from "../../../src/ingest/handle-message.ts";
import { KnownIds } from "../../../src/ingest/known-ids.ts";
import { checkResults } from "../../../src/ingest/results/check-results.ts";
import { valuePositions } from "../../../src/ingest/values/value-positions.ts";
import type { IngestMessage } from "../../../src/messages/ingest.ts";
import type { Provider, ProviderBook, ProviderMarket, ProviderResolution } from "../../../src/ports/provider.ts";
import { createTestDatabase } from "../database.ts";
import { joinIngest } from "./ingest-under-test.ts";
import { aProviderMarket } from "./markets.ts";
import { aTrade, conditionOf, pageOf, tokenOf } from "./trades.ts";
import { aWrittenProvider } from "./written-provider.ts";

/** The end that the market was given. */
export const END = new Date("2026-11-20T12:00:00Z");
/** So many seconds after that end. */
export const after = (seconds: number) => new Date(END.getTime() + seconds * 1000);
export const TOKEN = tokenOf(1, 0);
export const CONDITION = conditionOf(1);

/** What the provider says of the market at a moment. */
export interface Saying {
  market: Partial<ProviderMarket>;
  resolutions: readonly ProviderResolution[];
  books: readonly ProviderBook[];
}

export interface Shown {
  /** By the rule of src/db/market-price.ts. */
  readonly phase: string;
  readonly price: number | null;
  /** What jobs value at. */
  readonly mark: number | null;
  readonly bid: number | null;
  /** Of ten shares that cost two dollars, in dollars. */
  readonly value: number | null;
  readonly settled: number | null;
  /** Seconds after the end; null when the market is not asked for. */
  readonly due: number | null;
  readonly isChecked: boolean;
}

/** A book of the first outcome. */
export const aBook = (bestBid: string | null, bestAsk: string | null, asOf: Date, lastTradePrice: string | null = null): ProviderBook => ({
  tokenId: TOKEN,
  bestBid,
  bestAsk,
  bidDepthUsd: null,
  askDepthUsd: null,
  lastTradePrice,
  asOf,
});

/** A market that was described an hour before its end, and in which one wallet bought ten shares of the first outcome at 0.2, a minute before it. */
export async function openEndingMarket(first: Partial<ProviderMarket> = {}) {
  const database = await createTestDatabase();
  const pool = database.openPool();
  const known = new KnownIds();
  const saying: Saying = { market: { endAt: END, ...first }, resolutions: [], books: [] };
  const asked: string[][] = [];
  const hastened: JobName[] = [];
  const object = () => aProviderMarket(1, saying.market);
  const provider: Provider = {
    ...aWrittenProvider({ takers: [], all: [], activity: {}, markets: [], resolutions: [] }),
    findMarkets: async (ids) => pageOf(ids.includes(CONDITION) ? [object()] : []),
    findBooks: async (ids) => pageOf(saying.books.filter(({ tokenId }) => ids.includes(tokenId))),
    findResolutions: async (ids) => {
      asked.push([...ids]);
      return pageOf(saying.resolutions);
    },
  };
  const describeAt = (now: Date) => inTransaction(pool, (session) => applyMarkets(session, [object()], [], now));
  const handle = (message: IngestMessage, now: Date) => handleMessage(message, { pool, provider, known, now: () => now });

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
    /** One turn of the results job and what it asks for, then of the values job. @returns whether anything was due */
    async turn(now: Date): Promise<boolean> {
      const queue: IngestMessage[] = [];
      const enqueue = async (messages: readonly IngestMessage[]) => void queue.push(...messages);
      const hasten = (job: JobName) => void hastened.push(job);
      const wasDue = await checkResults({ pool, provider, now: () => now.getTime(), enqueue, hasten });
      for (const message of queue) await handle(message, now);
      // The next turn may describe the market again.
      await pool.query("update markets set hydrate_enqueued_at = hydrate_enqueued_at - interval '1 hour'");
      await valuePositions(pool);
      return wasDue;
    },
    async shown(now: Date): Promise<Shown> {
      const aliases = { market: "m", outcome: "o", now: atInstant(now) };
      const { rows } = await pool.query<Shown>(
        `select ${marketPhase(aliases)} as phase, (${priceOf(aliases)})::float8 as price, o.mark_price::float8 as mark, o.best_bid::float8 as bid,
           p.value_micro / 1e6::float8 as value, p.settled_micro / 1e6::float8 as settled,
           extract(epoch from m.result_due_at - $2::timestamptz)::float8 as due, m.resolution_checked_at is not null as "isChecked"
         from markets m join outcomes o on o.market_id = m.id join positions p on p.outcome_id = o.id where o.token_id = $1`,
        [TOKEN, END.toISOString()],
      );
      const [row] = rows;
      if (row === undefined) throw new Error("the market is not stored");
      return row;
    },
  };
}
