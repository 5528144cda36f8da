import { cents, fourDecimals, parsePrice, shownPrice, valueAt } from "../decimal.ts";
import { Comparison, type Item, type Question } from "../compare.ts";
import { expectOk, type Json } from "../api.ts";
import { utcDay } from "../fold.ts";
import { isOver, type MarketFacts } from "../price.ts";
import type { LargeTradeFacts } from "../ledger-rows.ts";
import type { LedgerSnapshot } from "../ledger-mirror.ts";
import { traderFiguresOf, historyOf, isCombination, isKnown } from "../trader-audit-figures.ts";
import { chunksOf, isoAt, marketPath, type AuditContext } from "./context.ts";
import { allMarketsOf, sidesOf } from "./prices.ts";

const WINDOW_HOURS = { "1h": 1, "4h": 4, "24h": 24, "7d": 168 } as const;
const HOUR_MS = 3_600_000;
const TOP_POSITIONS = 5;

const sidedMarkets = ({ world }: AuditContext): MarketFacts[] =>
  allMarketsOf(world.now()).filter((market) => !isCombination(market) && sidesOf(market, world.now()) !== null);

export interface Flow {
  readonly net: bigint;
  readonly buys: bigint;
  readonly sells: bigint;
  readonly count: number;
}

/** YES less NO: buying YES and selling NO add, buying NO and selling YES subtract. */
export function flowOf(trades: readonly LargeTradeFacts[], market: MarketFacts): Flow {
  const yes = market.outcomes.find(({ index }) => index === 0)?.id;
  const sum = (of: readonly LargeTradeFacts[]) => of.reduce((total, { size }) => total + size, 0n);
  const buys = sum(trades.filter(({ side }) => side === "BUY"));
  const backsYes = sum(trades.filter(({ side, outcomeId }) => (side === "BUY") === (outcomeId === yes)));
  return { net: 2n * backsYes - sum(trades), buys, sells: sum(trades) - buys, count: trades.length };
}

export function compareNetFlow(
  comparison: Comparison,
  { net, buys, sells, count }: Flow,
  market: MarketFacts,
  shown: Json,
): void {
  comparison.same("net_flow_usd", cents(net), shown.net_flow_usd);
  comparison.same("buy_volume_usd", cents(buys), shown.buy_volume_usd);
  comparison.same("sell_volume_usd", cents(sells), shown.sell_volume_usd);
  comparison.same("large_trade_count", count, shown.large_trade_count);
  comparison.same("whale_trade_count", count, shown.whale_trade_count);
  const direction = shown.direction ?? null;
  const right = net < 0n ? direction === "NO" : net > 0n ? direction === "YES" : direction !== "NO";
  comparison.holds("direction", right, net < 0n ? "NO" : "YES", direction);
  const token = market.outcomes.find(({ index }) => index === (net < 0n ? 1 : 0))?.tokenId;
  if (direction !== null) comparison.same("token_id", token, shown.token_id);
}

/** One market at a time over a week; batches cover a day. */
export function flowQuestions(context: AuditContext): Question[] {
  const { api, sample } = context;
  const markets = sample(sidedMarkets(context));
  return markets.map(({ id, conditionId }): Question => ({
    key: conditionId,
    async ask() {
      const path = marketPath(conditionId, "flow?timeframe=7d");
      const read = expectOk(await api.get(path), path);
      return { ...read, judge: (moment) => compareFlow(moment.market(id), read.body.data, "7d", moment) };
    },
  }));
}

export function batchFlowQuestions(context: AuditContext): Question[] {
  const { api, sample } = context;
  return chunksOf(sample(sidedMarkets(context)), 25).map((markets) => ({
    key: markets[0]?.conditionId ?? "",
    async ask() {
      const path = "/api/v1/markets/flow/batch";
      const body = { condition_ids: markets.map(({ conditionId }) => conditionId), timeframe: "24h" };
      const read = expectOk(await api.post(path, body, markets.length), path);
      return {
        ...read,
        judge: (moment) =>
          markets.flatMap(({ id, conditionId }, index) => {
            const item = read.body.data[index];
            if (item?.status === "ok") return compareFlow(moment.market(id), item.data, "24h", moment);
            return [new Comparison(conditionId).same("status", "ok", item?.error ?? item?.status).item()];
          }),
      };
    },
  }));
}

function compareFlow(
  market: MarketFacts | undefined,
  data: Json,
  window: keyof typeof WINDOW_HOURS,
  moment: LedgerSnapshot,
): Item[] {
  if (market === undefined) return [];
  const comparison = new Comparison(market.conditionId);
  const since = moment.atMs - WINDOW_HOURS[window] * HOUR_MS;
  const trades = moment.largeTradesIn(market.id).filter(({ atMs }) => atMs > since && atMs <= moment.atMs);
  const flow = flowOf(trades, market);
  compareNetFlow(comparison, flow, market, data.sharp_money);
  comparison.same("smart_money", data.sharp_money, data.smart_money);
  comparison.same("market.condition_id", market.conditionId, data.market.condition_id);
  const top = topPositions(market, moment);
  const shown = data.sharp_money.top_positions.map(({ id, size_usd, grade }: Json) => ({ id, size_usd, grade }));
  comparison.same("top_positions", top, shown);
  const oldest = data.sharp_money.oldest_snapshot_as_of;
  comparison.same("oldest_snapshot_as_of is null", top.length === 0, oldest === null);
  const isBefore = oldest !== null && market.createdMs !== null && Date.parse(oldest) < market.createdMs;
  comparison.holds("oldest_snapshot_as_of", !isBefore, `not before ${isoAt(market.createdMs ?? 0)}`, oldest);
  return [comparison.item()];
}

/**
 * The most valuable open positions of graded traders with complete history; ties go to the higher trader id.
 */
function topPositions(market: MarketFacts, moment: LedgerSnapshot): unknown[] {
  const held = moment.tradersIn(market.id).flatMap((traderId) => {
    const trader = moment.trader(traderId);
    if (trader === undefined || trader.grade === null) return [];
    const figures = traderFiguresOf(moment, traderId);
    if (!isKnown(historyOf(moment, traderId, figures))) return [];
    return figures.open.flatMap(({ market: of, outcome, value }) =>
      of.id === market.id && value !== null && outcome.index !== null
        ? [{ trader, outcome, value, index: outcome.index }]
        : [],
    );
  });
  held.sort((a, b) =>
    a.value !== b.value ? (a.value < b.value ? 1 : -1) : b.trader.id - a.trader.id || b.outcome.id - a.outcome.id,
  );
  return held.slice(0, TOP_POSITIONS).map(({ trader, value, index }) => ({
    id: `pos_${trader.address}:${market.conditionId}:${index}`,
    size_usd: cents(value),
    grade: trader.grade,
  }));
}

const HOLDER_GRADES = new Set<string | null>(["S", "A", "B"]);

interface HolderScan {
  readonly fetchedAt: string | null;
  readonly holders: readonly { readonly traderId: number; readonly index: number; readonly shares: bigint }[];
}

/** The stored holder scan of a market, as the provider reported it. */
async function findScan({ pool }: AuditContext, marketId: number): Promise<HolderScan> {
  const { rows } = await pool.query<{
    fetched_at: string | null;
    trader_id: string | null;
    outcome_index: number;
    shares_micro: string;
  }>(
    `select to_char(s.fetched_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as fetched_at, h.trader_id, h.outcome_index, h.shares_micro
     from holder_scans s left join market_holders h on h.market_id = s.market_id where s.market_id = $1`,
    [marketId],
  );
  const holders = rows.flatMap(({ trader_id, outcome_index, shares_micro }) =>
    trader_id === null ? [] : [{ traderId: Number(trader_id), index: outcome_index, shares: BigInt(shares_micro) }],
  );
  return { fetchedAt: rows[0]?.fetched_at ?? null, holders };
}

/** Markets in which a listed grade ever traded. The first read of a market waits for its scan. */
export function holderQuestions(context: AuditContext): Question[] {
  const { api, sample, world } = context;
  const moment = world.now();
  const isListed = (traderId: number) => HOLDER_GRADES.has(moment.trader(traderId)?.grade ?? null);
  return sample(sidedMarkets(context).filter(({ id }) => moment.tradersIn(id).some(isListed))).map(
    ({ id, conditionId }) => ({
      key: conditionId,
      async ask() {
        // A scan stored between the response and this query shows as a different `fetched_at`; the question
        // is then repeated.
        const read = await api.walk(marketPath(conditionId, "holders?limit=100"));
        const scan = await findScan(context, id);
        return { ...read, judge: (at) => compareHolders(at.market(id), read, scan, at) };
      },
    }),
  );
}

function compareHolders(
  market: MarketFacts | undefined,
  { rows, body }: { rows: readonly Json[]; body: Json },
  scan: HolderScan,
  moment: LedgerSnapshot,
): Item[] {
  if (market === undefined) return [];
  const sides = sidesOf(market, moment);
  if (sides === null) return [];
  const comparison = new Comparison(market.conditionId);
  comparison.same("scan.fetched_at", scan.fetchedAt, body.scan.fetched_at);
  const status = market.payoutsPpm !== null ? "resolved" : isOver(market, moment.atMs) ? "closed" : "open";
  comparison.same("market.status", status, body.market.status);
  const listed = [...Map.groupBy(scan.holders, ({ traderId }) => traderId)].flatMap(([traderId, held]) => {
    const trader = moment.trader(traderId);
    if (trader === undefined || !HOLDER_GRADES.has(trader.grade)) return [];
    const [most, other] = held.toSorted((a, b) =>
      a.shares !== b.shares ? (a.shares < b.shares ? 1 : -1) : a.index - b.index,
    );
    if (most === undefined) return [];
    const price = most.index === 0 ? sides.yesPrice : sides.noPrice;
    return [{ trader, ...most, other, value: price === null ? null : valueAt(most.shares, price.value) }];
  });
  const expected = listed
    .map(({ trader, index, shares, other, value }) => ({
      id: `pos_${trader.address}:${market.conditionId}:${index}`,
      grade: trader.grade,
      shares: fourDecimals(shares),
      current_value_usd: value === null ? null : cents(value),
      ...(other === undefined ? {} : { other_outcome_shares: fourDecimals(other.shares) }),
    }))
    .toSorted(byId);
  const shown = rows
    .map(({ id, grade, shares, current_value_usd, other_outcome_shares }) => ({
      ...{ id, grade, shares, current_value_usd },
      ...(other_outcome_shares === undefined ? {} : { other_outcome_shares }),
    }))
    .toSorted(byId);
  comparison.same("holders", expected, shown);
  const sum = (index: number) =>
    listed.filter((one) => one.index === index).reduce((total, { value }) => total + (value ?? 0n), 0n);
  comparison.same("totals.yes_usd", cents(sum(0)), body.totals.yes_usd);
  comparison.same("totals.no_usd", cents(sum(1)), body.totals.no_usd);
  comparison.same("totals.graded_count", listed.length, body.totals.graded_count);
  return [comparison.item()];
}

const byId = (a: { readonly id: string }, b: { readonly id: string }): number =>
  a.id < b.id ? -1 : a.id > b.id ? 1 : 0;

interface CandleBucket {
  t: number;
  o: number;
  h: number;
  l: number;
  c: number;
}

/** Daily and weekly candles of every market. */
export function candleQuestions(context: AuditContext): Question[] {
  const { api, sample } = context;
  return sample(sidedMarkets(context)).flatMap(({ id, conditionId }) =>
    (["1d", "1w"] as const).map((resolution) => ({
      key: `${conditionId} ${resolution}`,
      async ask() {
        const path = marketPath(conditionId, `candles?resolution=${resolution}`);
        const read = expectOk(await api.get(path), path);
        return {
          ...read,
          judge: (moment: LedgerSnapshot) => compareCandles(moment.market(id), read.body.data, resolution, moment),
        };
      },
    })),
  );
}

function compareCandles(
  market: MarketFacts | undefined,
  data: Json,
  resolution: "1d" | "1w",
  moment: LedgerSnapshot,
): Item[] {
  if (market === undefined) return [];
  const comparison = new Comparison(`${market.conditionId} ${resolution}`);
  const expected = market.outcomes.flatMap((outcome) =>
    outcome.index === null ? [] : [{ token_id: outcome.tokenId, candles: candlesOf(outcome.id, resolution, moment) }],
  );
  comparison.same(
    "candles",
    expected,
    data.outcomes.map(({ token_id, candles }: Json) => ({ token_id, candles })),
  );
  return [comparison.item()];
}

function candlesOf(outcomeId: number, resolution: "1d" | "1w", moment: LedgerSnapshot): CandleBucket[] {
  const buckets = new Map<number, CandleBucket & { high: bigint; low: bigint }>();
  for (const { price, atMs } of moment.pricedFills(outcomeId)) {
    const exact = parsePrice(price);
    const shown = shownPrice(exact);
    const t = bucketStart(atMs, resolution);
    const bucket = buckets.get(t) ?? { t, o: shown, h: shown, l: shown, c: shown, high: exact, low: exact };
    const [high, low] = [exact > bucket.high ? exact : bucket.high, exact < bucket.low ? exact : bucket.low];
    buckets.set(t, { ...bucket, high, low, h: shownPrice(high), l: shownPrice(low), c: shown });
  }
  return [...buckets.values()].map(({ t, o, h, l, c }) => ({ t, o, h, l, c }));
}

/** Unix seconds of the UTC midnight of the day, or of the Monday of its week. */
function bucketStart(atMs: number, resolution: "1d" | "1w"): number {
  const day = new Date(`${utcDay(atMs)}T00:00:00Z`);
  const sinceMonday = (day.getUTCDay() + 6) % 7;
  return (day.getTime() - (resolution === "1w" ? sinceMonday * 86_400_000 : 0)) / 1000;
}
