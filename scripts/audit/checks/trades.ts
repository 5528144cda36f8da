import { cents, parsePrice, reachesFloor, shownPrice, tradedPrice } from "../decimal.ts";
import { Comparison, type Item, type Question } from "../compare.ts";
import { expectOk, type Json } from "../api.ts";
import { utcDay } from "../fold.ts";
import type { LedgerSnapshot } from "../ledger-mirror.ts";
import { chunksOf, isoAt, type AuditContext } from "./context.ts";

/** Trades at this price or above are nearly settled and are not large trades. */
const LARGE_TRADE_MAX_PRICE = parsePrice("0.97");
const FLOOR_USD = 5_000;

interface LedgerTrade {
  readonly side: string;
  readonly usd: bigint;
  readonly price: bigint;
  readonly atMs: number;
  readonly trader: string;
  readonly market: string;
}

/**
 * The whole history against the takers' fills of the ledger, in both directions: nothing is extra, nothing is
 * missing.
 */
export function largeTradeQuestions({ api, pool }: AuditContext): Question[] {
  return [
    {
      key: "large trades",
      async ask() {
        const before = await findTakers(pool);
        const read = await api.walk("/api/v1/large-trades/history?min_size=0&limit=100");
        const after = await findTakers(pool);
        return { ...read, judge: () => compareTrades(before, after, read.rows) };
      },
    },
  ];
}

/** Takers' fills below the price bound, keyed by the fields that identify a trade in a response. */
async function findTakers(pool: AuditContext["pool"]): Promise<Map<string, LedgerTrade[]>> {
  const { rows } = await pool.query<{
    kind: string;
    usd_micro: string;
    shares_micro: string;
    at_ms: number;
    address: string;
    condition_id: string;
  }>(
    `select e.kind, e.usd_micro, e.shares_micro, (extract(epoch from e.traded_at) * 1000)::float8 as at_ms, t.address, m.condition_id
     from ledger_entries e join traders t on t.id = e.trader_id join markets m on m.id = e.market_id
     where e.role = 'taker' and e.kind in ('buy', 'sell') and e.usd_micro >= 1000000000 and e.shares_micro > 0`,
  );
  const trades = rows.map((row) => ({
    ...{
      side: row.kind.toUpperCase(),
      usd: BigInt(row.usd_micro),
      price: tradedPrice(BigInt(row.usd_micro), BigInt(row.shares_micro)),
    },
    ...{ atMs: row.at_ms },
    ...{ trader: row.address, market: row.condition_id },
  }));
  const large = trades.filter(({ usd, price }) => reachesFloor(usd, FLOOR_USD) && price < LARGE_TRADE_MAX_PRICE);
  return Map.groupBy(
    large,
    (trade) =>
      `${trade.trader} ${trade.market} ${isoAt(trade.atMs)} ${trade.side} ${cents(trade.usd)} ${shownPrice(trade.price)}`,
  );
}

function compareTrades(
  before: ReadonlyMap<string, unknown[]>,
  after: ReadonlyMap<string, unknown[]>,
  rows: readonly Json[],
): Item[] {
  const shown = Map.groupBy(
    rows,
    (row) =>
      `${row.trader.address} ${row.market.condition_id} ${row.traded_at} ${row.side} ${row.size_usd} ${row.price}`,
  );
  return [...new Set([...before.keys(), ...after.keys(), ...shown.keys()])].map((id) => {
    const [low, high, got] = [before.get(id)?.length ?? 0, after.get(id)?.length ?? 0, shown.get(id)?.length ?? 0];
    return new Comparison(id)
      .holds("times listed", got >= low && got <= high, low === high ? low : `${low} to ${high}`, got)
      .item();
  });
}

/** One trade by its id, against the recorded trade. */
export function singleTradeQuestions({ api, world, sample }: AuditContext): Question[] {
  const { largeTrades } = world.now();
  return sample(largeTrades()).map(({ id }) => ({
    key: `wt_${id}`,
    async ask() {
      const path = `/api/v1/large-trades/wt_${id}`;
      const read = expectOk(await api.get(path), path);
      return { ...read, judge: (moment) => compareTrade(id, read.body.data, moment) };
    },
  }));
}

function compareTrade(id: number, row: Json, moment: LedgerSnapshot): Item[] {
  const trade = moment.largeTrades().find((one) => one.id === id);
  if (trade === undefined) return [];
  const market = moment.market(trade.marketId);
  const comparison = new Comparison(`wt_${id}`);
  comparison.same("size_usd", cents(trade.size), row.size_usd).same("side", trade.side, row.side);
  comparison.same("price", shownPrice(parsePrice(trade.price)), row.price);
  comparison.same("traded_at", isoAt(trade.atMs), row.traded_at);
  comparison.same("trader.address", moment.trader(trade.traderId)?.address, row.trader.address);
  comparison.same("market.condition_id", market?.conditionId, row.market.condition_id);
  comparison.same(
    "token_id",
    market?.outcomes.find((outcome) => outcome.id === trade.outcomeId)?.tokenId,
    row.token_id,
  );
  return [comparison.item()];
}

/** Daily reports. A job rebuilds them, so the newest trades may be a few minutes ahead of the report. */
export function reportQuestions({ api, world }: AuditContext): Question[] {
  const days = [
    ...new Set(
      world
        .now()
        .largeTrades()
        .map(({ atMs }) => utcDay(atMs)),
    ),
  ].toSorted();
  // The first day with trades may have begun before recording did.
  return chunksOf(days.slice(1), 1)
    .flat()
    .map((day) => ({
      key: day,
      async ask() {
        const path = `/api/v1/reports/daily?date=${day}`;
        const read = expectOk(await api.get(path), path);
        return { ...read, judge: (moment) => compareReport(day, read.body.data, moment) };
      },
    }));
}

function compareReport(day: string, data: Json, moment: LedgerSnapshot): Item[] {
  const trades = moment.largeTrades().filter(({ atMs }) => utcDay(atMs) === day);
  const { report } = data;
  const comparison = new Comparison(day);
  const sizes = trades.map(({ size }) => size);
  comparison.same("total_large_trades", trades.length, report.total_large_trades);
  comparison.same(
    "total_large_trade_volume",
    cents(sizes.reduce((sum, size) => sum + size, 0n)),
    report.total_large_trade_volume,
  );
  comparison.same(
    "biggest_trade_size",
    cents(sizes.reduce((most, size) => (size > most ? size : most), 0n)),
    report.biggest_trade_size,
  );
  comparison.same("active_traders", new Set(trades.map(({ traderId }) => traderId)).size, report.active_traders);
  const top = report.top_large_trades.map((row: Json) => row.size);
  comparison.same(
    "top_large_trades",
    sizes
      .toSorted((a, b) => (a < b ? 1 : -1))
      .slice(0, top.length)
      .map(cents),
    top,
  );
  return [comparison.item()];
}
