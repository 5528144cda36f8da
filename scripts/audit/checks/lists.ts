import type { Json } from "../api.ts";
import { cents, fraction } from "../decimal.ts";
import { Comparison, compareRows, type Item, type Question } from "../compare.ts";
import type { LedgerMirror } from "../ledger-mirror.ts";
import type { LedgerSnapshot } from "../ledger-mirror.ts";
import {
  historyOf,
  isKnown,
  traderFiguresOf,
  type OpenPosition,
  type TraderAuditFigures,
} from "../trader-audit-figures.ts";
import { compareNetFlow, flowOf } from "./market-figures.ts";
import type { AuditContext } from "./context.ts";
import { allMarketsOf, sidesOf } from "./prices.ts";
import { compareCompletenessNote } from "./traders.ts";

const RANKED = new Set<string | null>(["S", "A", "B"]);

/**
 * The time a list was built, or the audit's first snapshot when the list is older: nothing has changed since.
 */
const builtAt = (builtMs: number, world: LedgerMirror) => {
  const ms = Math.max(builtMs, world.startedMs);
  return { fromMs: ms, toMs: ms };
};

export function leaderboardQuestions({ api, world }: AuditContext): Question[] {
  return [
    {
      key: "leaderboard",
      async ask() {
        const read = await api.walk("/api/v1/leaderboard?limit=100");
        const built = builtAt(Date.parse(read.body.meta.ranking_as_of), world);
        return { ...built, judge: (moment) => compareBoard(read, moment) };
      },
    },
  ];
}

/** Traders with grade S, A or B and complete history, by score. */
function compareBoard({ rows, body }: { rows: readonly Json[]; body: Json }, moment: LedgerSnapshot): Item[] {
  const ranked = moment.traderIds.flatMap((id) => {
    const trader = moment.trader(id);
    if (trader === undefined || !RANKED.has(trader.grade)) return [];
    const figures = traderFiguresOf(moment, id);
    const history = historyOf(moment, id, figures);
    return isKnown(history) && figures.traded > 0 ? [{ id, trader, figures, history }] : [];
  });
  const expected = new Map(ranked.map((one) => [`trd_${one.id}`, one]));
  const items = compareRows(
    expected,
    rows,
    ({ id }) => id,
    (comparison, { trader, figures, history }, row) => {
      compareCompletenessNote(comparison, history, row.completeness);
      comparison.same("grade", trader.grade, row.grade).same("score", trader.score, row.score);
      comparison.same("realized_pnl", cents(figures.realized), row.realized_pnl);
      comparison.same("volume", cents(figures.volume), row.volume);
      comparison.same("markets_traded", figures.traded, row.markets_traded);
      comparison.same(
        "win_rate",
        figures.decided === 0 ? undefined : fraction(figures.won, figures.decided),
        row.win_rate,
      );
    },
  );
  const order = rows.map(({ score }) => score);
  const list = new Comparison("order")
    .same(
      "scores",
      order.toSorted((a, b) => b - a),
      order,
    )
    .same("total", rows.length, body.total);
  return [...items, list.item()];
}

/** The provider's leaderboards: compares only the fields that the product adds. */
export function trendingQuestions({ api, world }: AuditContext): Question[] {
  return (["7d", "30d"] as const).map((window) => ({
    key: window,
    async ask() {
      const read = await api.walk(`/api/v1/leaderboard/trending?window=${window}&limit=50`);
      const valuedMs = read.rows.flatMap((row) => Date.parse(row.all_time_pnl_as_of ?? "") || []);
      const fromMs = Math.max(Math.min(read.fromMs, ...valuedMs), world.startedMs);
      return {
        ...read,
        fromMs,
        judge: (moment: LedgerSnapshot) => {
          const valuedAt = world.momentsIn(fromMs, read.toMs);
          return read.rows.flatMap((row) => compareTrending(window, row, moment, valuedAt));
        },
      };
    },
  }));
}

/** Open shares are valued one outcome after another, each at one of the moments `valuedAt`. */
export function compareTrending(
  window: string,
  row: Json,
  moment: LedgerSnapshot,
  valuedAt: readonly LedgerSnapshot[],
): Item[] {
  const id = Number(String(row.id).slice("trd_".length));
  if (moment.trader(id) === undefined) return [];
  const figures = traderFiguresOf(moment, id);
  const history = historyOf(moment, id, figures);
  const comparison = new Comparison(`${window} ${row.id}`);
  if (isKnown(history)) compareCompletenessNote(comparison, history, row.completeness);
  if (!isKnown(history) || figures.unrealized === null)
    return [comparison.same("all_time_pnl_usd", undefined, row.all_time_pnl_usd).item()];
  const { least, most } = unrealizedRange(
    figures,
    valuedAt.map((one) => traderFiguresOf(one, id)),
  );
  const [from, to] = [cents(figures.realized + least), cents(figures.realized + most)];
  const isInRange = from <= row.all_time_pnl_usd && row.all_time_pnl_usd <= to;
  return [comparison.holds("all_time_pnl_usd", isInRange, from === to ? to : [from, to], row.all_time_pnl_usd).item()];
}

/** The least and the most that the open positions may have gained, each valued at any of the moments. */
function unrealizedRange({ open }: TraderAuditFigures, moments: readonly TraderAuditFigures[]) {
  const gains = Map.groupBy(
    moments.flatMap((one) => one.open),
    ({ outcome }) => outcome.id,
  );
  let [least, most] = [0n, 0n];
  for (const own of open) {
    const [first = 0n, ...others] = [own, ...(gains.get(own.outcome.id) ?? [])].flatMap(gainOf);
    least += others.reduce((low, gain) => (gain < low ? gain : low), first);
    most += others.reduce((high, gain) => (gain > high ? gain : high), first);
  }
  return { least, most };
}

const gainOf = ({ isExcluded, value, position }: OpenPosition): bigint[] =>
  isExcluded || value === null ? [] : [value - position.cost];

const WINDOW_MS = { "1h": 3_600_000, "4h": 14_400_000, "24h": 86_400_000, "7d": 604_800_000 } as const;

/** Flows of traders with grade S, A or B (`B`), and of all graded traders (`F`). */
export function sharpFlowQuestions({ api, pool, world }: AuditContext): Question[] {
  return (Object.keys(WINDOW_MS) as (keyof typeof WINDOW_MS)[]).flatMap((window) =>
    (["B", "F"] as const).map((minGrade) => ({
      key: `${window} ${minGrade}`,
      async ask() {
        const read = await api.walk(
          `/api/v1/markets/sharp-money-flows?timeframe=${window}&min_grade=${minGrade}&limit=100`,
        );
        // The response does not name its generation and is cached for a minute, so a newer generation may
        // already be stored.
        const { rows } = await pool.query<{ ms: number }>(
          `select (extract(epoch from built_at) * 1000)::float8 as ms from list_generations where list = $1 order by id desc limit 1`,
          [`flows:${window}`],
        );
        const { toMs } = builtAt(rows[0]?.ms ?? 0, world);
        return {
          ...{ fromMs: Math.min(read.fromMs, toMs), toMs: Math.max(read.toMs, toMs) },
          judge: (moment: LedgerSnapshot) => compareSharp(read, window, minGrade, moment),
        };
      },
    })),
  );
}

function compareSharp(
  { rows, body }: { rows: readonly Json[]; body: Json },
  window: keyof typeof WINDOW_MS,
  minGrade: "B" | "F",
  moment: LedgerSnapshot,
): Item[] {
  const trades = moment.largeTrades().filter(({ traderId, atMs }) => {
    const grade = moment.trader(traderId)?.grade ?? null;
    const isCounted = minGrade === "F" ? grade !== null : RANKED.has(grade);
    return isCounted && atMs > moment.atMs - WINDOW_MS[window] && atMs <= moment.atMs;
  });
  const byMarket = Map.groupBy(trades, ({ marketId }) => marketId);
  const expected = new Map(
    allMarketsOf(moment).flatMap((market) => {
      const ofMarket = byMarket.get(market.id);
      return ofMarket === undefined || sidesOf(market, moment) === null
        ? []
        : [[`${window} ${minGrade} ${market.conditionId}`, { market, ofMarket }] as const];
    }),
  );
  const items = compareRows(
    expected,
    rows,
    (row) => `${window} ${minGrade} ${row.market.condition_id}`,
    (comparison, { market, ofMarket }, row) =>
      compareNetFlow(comparison, flowOf(ofMarket, market), market, row.sharp_money),
  );
  return [...items, new Comparison(`${window} ${minGrade} total`).same("total", rows.length, body.total).item()];
}
