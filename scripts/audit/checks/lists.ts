import type { Json } from "../api.ts";
import { cents, fraction } from "../decimal.ts";
import { Comparison, compareRows, type Item, type Question } from "../compare.ts";
import type { World } from "../world.ts";
import type { Moment } from "../world.ts";
import { figuresOf, historyOf, isKnown } from "../wallet-figures.ts";
import { compareNetFlow, flowOf } from "./market-figures.ts";
import type { AuditContext } from "./context.ts";
import { marketsOf, sidesOf } from "./prices.ts";
import { compareSaid } from "./traders.ts";

const RANKED = new Set<string | null>(["S", "A", "B"]);

/** A list that was built at a time is of that time, or, where it stands because nothing has changed, of the audit's first look. */
const builtAt = (builtMs: number, world: World) => {
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

/** Wallets of grade S, A or B and complete history, by score. */
function compareBoard({ rows, body }: { rows: readonly Json[]; body: Json }, moment: Moment): Item[] {
  const ranked = moment.walletIds.flatMap((id) => {
    const wallet = moment.wallet(id);
    if (wallet === undefined || !RANKED.has(wallet.grade)) return [];
    const figures = figuresOf(moment, id);
    const history = historyOf(moment, id, figures);
    return isKnown(history) && figures.traded > 0 ? [{ id, wallet, figures, history }] : [];
  });
  const expected = new Map(ranked.map((one) => [`trd_${one.id}`, one]));
  const items = compareRows(
    expected,
    rows,
    ({ id }) => id,
    (comparison, { wallet, figures, history }, row) => {
      compareSaid(comparison, history, row.completeness);
      comparison.same("grade", wallet.grade, row.grade).same("score", wallet.score, row.score);
      comparison.same("realized_pnl", cents(figures.realized), row.realized_pnl);
      comparison.same("volume", cents(figures.volume), row.volume);
      comparison.same("markets_traded", figures.traded, row.markets_traded);
      comparison.same("win_rate", figures.decided === 0 ? undefined : fraction(figures.won, figures.decided), row.win_rate);
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

/** The provider's boards: what we add of our own. */
export function trendingQuestions({ api }: AuditContext): Question[] {
  return (["7d", "30d"] as const).map((window) => ({
    key: window,
    async ask() {
      const read = await api.walk(`/api/v1/leaderboard/trending?window=${window}&limit=50`);
      return { ...read, judge: (moment: Moment) => read.rows.flatMap((row) => compareTrending(window, row, moment)) };
    },
  }));
}

function compareTrending(window: string, row: Json, moment: Moment): Item[] {
  const id = Number(String(row.id).slice("trd_".length));
  if (moment.wallet(id) === undefined) return [];
  const figures = figuresOf(moment, id);
  const history = historyOf(moment, id, figures);
  const comparison = new Comparison(`${window} ${row.id}`);
  if (isKnown(history)) compareSaid(comparison, history, row.completeness);
  if (isKnown(history) && figures.unrealized !== null)
    comparison.same("all_time_pnl_usd", cents(figures.realized + figures.unrealized), row.all_time_pnl_usd);
  else comparison.same("all_time_pnl_usd", undefined, row.all_time_pnl_usd);
  return [comparison.item()];
}

const WINDOW_MS = { "1h": 3_600_000, "4h": 14_400_000, "24h": 86_400_000, "7d": 604_800_000 } as const;

/** Flows of wallets of grade S, A or B, and of all graded ones. */
export function sharpFlowQuestions({ api, pool, world }: AuditContext): Question[] {
  return (Object.keys(WINDOW_MS) as (keyof typeof WINDOW_MS)[]).flatMap((window) =>
    (["B", "F"] as const).map((minGrade) => ({
      key: `${window} ${minGrade}`,
      async ask() {
        const read = await api.walk(`/api/v1/markets/sharp-money-flows?timeframe=${window}&min_grade=${minGrade}&limit=100`);
        // The answer does not say which generation it is of, and is cached for a minute: Json that was built since may be meant.
        const { rows } = await pool.query<{ ms: number }>(
          `select (extract(epoch from built_at) * 1000)::float8 as ms from list_generations where list = $1 order by id desc limit 1`,
          [`flows:${window}`],
        );
        const { toMs } = builtAt(rows[0]?.ms ?? 0, world);
        return {
          ...{ fromMs: Math.min(read.fromMs, toMs), toMs: Math.max(read.toMs, toMs) },
          judge: (moment: Moment) => compareSharp(read, window, minGrade, moment),
        };
      },
    })),
  );
}

function compareSharp(
  { rows, body }: { rows: readonly Json[]; body: Json },
  window: keyof typeof WINDOW_MS,
  minGrade: "B" | "F",
  moment: Moment,
): Item[] {
  const trades = moment.largeTrades().filter(({ traderId, atMs }) => {
    const grade = moment.wallet(traderId)?.grade ?? null;
    const isCounted = minGrade === "F" ? grade !== null : RANKED.has(grade);
    return isCounted && atMs > moment.atMs - WINDOW_MS[window] && atMs <= moment.atMs;
  });
  const byMarket = Map.groupBy(trades, ({ marketId }) => marketId);
  const expected = new Map(
    marketsOf(moment).flatMap((market) => {
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
    (comparison, { market, ofMarket }, row) => compareNetFlow(comparison, flowOf(ofMarket, market), market, row.sharp_money),
  );
  return [...items, new Comparison(`${window} ${minGrade} total`).same("total", rows.length, body.total).item()];
}
