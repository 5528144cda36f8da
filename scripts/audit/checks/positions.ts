import type { ApiResponse, Json } from "../api.ts";
import { cents, divideHalfAway, exactText, reachesFloor, shownPrice, sixDecimals, tradedPrice } from "../decimal.ts";
import { Comparison, compareRows, type Item, type Question } from "../compare.ts";
import { isAwaitingResult } from "../price.ts";
import type { LedgerSnapshot } from "../ledger-mirror.ts";
import {
  traderFiguresOf,
  historyOf,
  isCombination,
  isKnown,
  type History,
  type OpenPosition,
  type TraderAuditFigures,
} from "../trader-audit-figures.ts";
import { isoAt, type AuditContext } from "./context.ts";
import { compareCompletenessNote } from "./traders.ts";
import { allMarketsOf } from "./prices.ts";

interface ListedPosition extends OpenPosition {
  readonly traderId: number;
  readonly history: History;
  readonly figures: TraderAuditFigures;
}

const positionId = (address: string, { market, outcome }: OpenPosition) =>
  `pos_${address}:${market.conditionId}:${outcome.index}`;

/** Open positions in markets with a YES and a NO outcome. */
function openPositionsOf(moment: LedgerSnapshot, traderId: number): [string, ListedPosition][] {
  const trader = moment.trader(traderId);
  if (trader === undefined) return [];
  const figures = traderFiguresOf(moment, traderId);
  const history = historyOf(moment, traderId, figures);
  return figures.open
    .filter(({ outcome, isCombination: is }) => !is && (outcome.index === 0 || outcome.index === 1))
    .map((held) => [positionId(trader.address, held), { ...held, traderId, history, figures }]);
}

/**
 * Every trader with an open position: listed positions plus the count of unlisted ones equal all open
 * positions.
 */
export function traderPositionQuestions({ api, world, sample }: AuditContext): Question[] {
  const holding = world.now().traderIds.filter((id) => openPositionsOf(world.now(), id).length > 0);
  return sample(holding).map((id) => ({
    key: `trd_${id}`,
    async ask() {
      const read = await api.walk(`/api/v1/positions?wallet=trd_${id}&limit=100`);
      return { ...read, judge: (moment) => compareTraderPositions(id, read, moment) };
    },
  }));
}

function compareTraderPositions(
  id: number,
  { rows, body }: { rows: readonly Json[]; body: Json },
  moment: LedgerSnapshot,
): Item[] {
  const { open } = traderFiguresOf(moment, id);
  // Positions without a price, or in a market without a YES and a NO, are counted and not listed.
  const expected = new Map(openPositionsOf(moment, id).filter(([, { value }]) => value !== null));
  const all = new Comparison(`trd_${id}`);
  all.same(
    "unlisted",
    open.length === expected.size ? undefined : open.length - expected.size,
    body.meta.unlisted?.positions,
  );
  if (body.total !== undefined) all.same("total", open.length, body.total);
  const items = compareRows(
    expected,
    rows,
    ({ id: position }) => position,
    (one, holding, row) => comparePositionRow(one, holding, row, moment),
  );
  return [...items, all.item()];
}

export function comparePositionRow(
  comparison: Comparison,
  held: ListedPosition,
  row: Json,
  moment: LedgerSnapshot,
): void {
  const { position, market, outcome, value, history } = held;
  comparison.same("token_id", outcome.tokenId, row.token_id);
  comparison.same("shares", sixDecimals(position.shares), row.shares);
  comparison.same("exact.shares", exactText(position.shares), row.exact?.shares.value);
  comparison.same("current_value_usd", value === null ? null : cents(value), row.current_value_usd ?? null);
  if (value !== null) comparison.same("exact.current_value_usd", exactText(value), row.exact?.current_value_usd?.value);
  if (isAwaitingResult(market, moment.atMs))
    comparison.holds("freshness", row.freshness !== "fresh", "not fresh: its result is awaited", row.freshness);
  compareReconciled(comparison, held, row);
  // The cost of shares is known when the whole history is known; the profit, when no share is unmatched.
  if (!isKnown(history)) return;
  const unit = divideHalfAway(position.cost * 10n ** 18n, position.shares);
  comparison.same("avg_price", shownPrice(unit), row.avg_price);
  comparison.same("initial_value_usd", cents(position.cost), row.initial_value_usd);
  comparison.same("exact.cost_basis_usd", exactText(position.cost), row.exact.cost_basis_usd?.value);
  comparison.same(
    "realized_pnl",
    position.unmatched > 0n ? undefined : cents(position.realized - position.fees),
    row.realized_pnl,
  );
  compareCompletenessNote(comparison, history, row.trader.completeness);
  if (value !== null) {
    comparison.same("cash_pnl", cents(value - position.cost), row.cash_pnl);
    comparison.same("exact.cash_pnl", exactText(value - position.cost), row.exact.cash_pnl?.value);
  }
  const { realized, unrealized, traded } = held.figures;
  comparison.same("trader.pnl", unrealized === null ? undefined : cents(realized + unrealized), row.trader.pnl);
  comparison.same("trader.markets", traded, row.trader.markets);
}

/**
 * `last_reconciled_at` is never before the market existed, and nothing is fresh while the history is
 * incomplete.
 */
function compareReconciled(comparison: Comparison, { market, history }: ListedPosition, row: Json): void {
  const at = row.last_reconciled_at;
  const isEarly = at !== undefined && market.createdMs !== null && Date.parse(at) < market.createdMs;
  comparison.holds("last_reconciled_at", !isEarly, `not before ${isoAt(market.createdMs ?? 0)}`, at);
  if (!isKnown(history))
    comparison.holds("freshness", row.freshness !== "fresh", `not fresh: ${history}`, row.freshness);
}

/** Which positions are listed follows from the values of the last valuation, whose time the first page states. */
function listedFrom({ body, fromMs }: ApiResponse): number {
  const values = body.data_quality.field_groups.find(({ group }: Json) => group === "values");
  const valuedMs = Date.parse(values?.as_of ?? "");
  return Number.isNaN(valuedMs) ? fromMs : Math.min(fromMs, valuedMs);
}

/** The positions of every market, of traders with complete history. */
export function marketPositionQuestions({ api, world, sample }: AuditContext): Question[] {
  const markets = allMarketsOf(world.now()).filter((market) => !isCombination(market) && market.payoutsPpm === null);
  return sample(markets).map(({ id, conditionId }) => ({
    key: conditionId,
    async ask() {
      const read = await api.walk(`/api/v1/positions?condition_id=${conditionId}&min_size=0&limit=100`);
      return {
        ...read,
        fromMs: listedFrom(read),
        judge: (moment) => {
          const held = moment
            .tradersIn(id)
            .flatMap((traderId) => openPositionsOf(moment, traderId).filter(([, one]) => one.market.id === id));
          return compareList(held, read.rows, moment);
        },
      };
    },
  }));
}

const LISTED_USD = 100;

/** The positions of all traders, from $100 on. */
export function allPositionQuestions({ api }: AuditContext): Question[] {
  return [
    {
      key: "everybody",
      async ask() {
        const read = await api.walk("/api/v1/positions?limit=100");
        return { ...read, fromMs: listedFrom(read), judge: (moment) => compareAllPositions(read.rows, moment) };
      },
    },
  ];
}

export function compareAllPositions(rows: readonly Json[], moment: LedgerSnapshot): Item[] {
  const held = moment.traderIds.flatMap((traderId) => openPositionsOf(moment, traderId));
  const listed = held.filter(([, { value }]) => value !== null && reachesFloor(value, LISTED_USD));
  return compareList(listed, rows, moment);
}

/** Lists that name no trader show only complete histories; positions without a price may be absent. */
function compareList(held: readonly [string, ListedPosition][], rows: readonly Json[], moment: LedgerSnapshot): Item[] {
  const expected = new Map(held.filter(([, { history, value }]) => isKnown(history) && value !== null));
  return compareRows(
    expected,
    rows,
    ({ id }) => id,
    (one, holding, row) => comparePositionRow(one, holding, row, moment),
  );
}

const LARGE_POSITION_USD = 50_000;

/** Graded traders with complete history, by the value of their positions in one market. */
export function largePositionQuestions({ api }: AuditContext): Question[] {
  return [
    {
      key: "large positions",
      async ask() {
        const read = await api.walk("/api/v1/large-positions?limit=100");
        return { ...read, judge: (moment) => compareLarge(read, moment) };
      },
    },
  ];
}

function compareLarge({ rows, body }: { rows: readonly Json[]; body: Json }, moment: LedgerSnapshot): Item[] {
  const expected = new Map<string, { readonly held: readonly ListedPosition[]; readonly grade: string | null }>();
  for (const traderId of moment.traderIds) {
    const trader = moment.trader(traderId);
    if (trader === undefined || trader.grade === null) continue;
    const ofTrader = openPositionsOf(moment, traderId).map(([, held]) => held);
    for (const [marketId, held] of Map.groupBy(ofTrader, ({ market }) => market.id)) {
      const value = held.reduce((sum, one) => sum + (one.value ?? 0n), 0n);
      if (held[0] === undefined || !isKnown(held[0].history) || !reachesFloor(value, LARGE_POSITION_USD)) continue;
      expected.set(`${trader.address} mkt_${marketId}`, { held, grade: trader.grade });
    }
  }
  const items = compareRows(expected, rows, (row) => `${row.trader.address} ${row.market.id}`, compareLargeRow);
  return [...items, new Comparison("total").same("total", rows.length, body.total).item()];
}

function compareLargeRow(
  comparison: Comparison,
  { held, grade }: { held: readonly ListedPosition[]; grade: string | null },
  row: Json,
): void {
  comparison.same("grade", grade, row.trader.grade);
  if (held[0] !== undefined) compareCompletenessNote(comparison, held[0].history, row.trader.completeness);
  const holdings = held.map(({ outcome, position, price, value }) => ({
    outcome_index: outcome.index,
    token_id: outcome.tokenId,
    share_count: sixDecimals(position.shares),
    avg_entry_price: shownPrice((position.cost * 10n ** 18n) / position.shares),
    ...(value === null || price === null
      ? {}
      : { value_usd: cents(value), unrealized_pnl: cents(value - position.cost) }),
  }));
  const shown = row.holdings.map(({ outcome_label: _label, current_price: _price, ...rest }: Json) => rest);
  const inOrder = (list: Json[]) =>
    list.toSorted((a, b) => a.outcome_index - b.outcome_index).map((one) => Object.entries(one).toSorted());
  comparison.same("holdings", inOrder(holdings), inOrder(shown));
  const values = held.map(({ value }) => value);
  const total = values.includes(null)
    ? undefined
    : cents(values.reduce<bigint>((sum, value) => sum + (value ?? 0n), 0n));
  comparison.same("combined_value_usd", total, row.combined_value_usd);
  for (const one of row.holdings) {
    const price = held.find(({ outcome }) => outcome.index === one.outcome_index)?.price ?? null;
    // A complement may be one step of the last decimal above the cut price.
    const cut = price === null ? undefined : shownPrice(price.value);
    const steps = cut === undefined ? 0 : Math.round((one.current_price - cut) * 10_000);
    comparison.holds(
      `current_price ${one.outcome_index}`,
      cut === undefined ? one.current_price === undefined : steps === 0 || steps === 1,
      cut,
      one.current_price,
    );
  }
}

/** Two markets of each followed trader: all fills, and the shares left by the newest fill of each side. */
export function timelineQuestions({ api, world, sample }: AuditContext): Question[] {
  const moment = world.now();
  const pairs = moment.traderIds.flatMap((id) => {
    const trader = moment.trader(id);
    if (trader === undefined || trader.tier === "cold") return [];
    const markets = Map.groupBy(moment.fold(id).positions.values(), ({ marketId }) => marketId);
    const ordinary = [...markets.keys()].filter((marketId) => isOrdinary(moment, marketId));
    return ordinary.slice(-2).map((marketId) => ({ id, marketId }));
  });
  return sample(pairs).map(({ id, marketId }) => ({
    key: `trd_${id} mkt_${marketId}`,
    async ask() {
      const read = await api.walk(`/api/v1/trader/trd_${id}/position-timeline?condition_id=mkt_${marketId}&limit=100`);
      return { ...read, judge: (at) => compareTimeline(id, marketId, read, at) };
    },
  }));
}

const isOrdinary = (moment: LedgerSnapshot, marketId: number): boolean => {
  const market = moment.market(marketId);
  return market !== undefined && !isCombination(market);
};

function compareTimeline(
  id: number,
  marketId: number,
  { rows, body }: { rows: readonly Json[]; body: Json },
  moment: LedgerSnapshot,
): Item[] {
  const comparison = new Comparison(`trd_${id} mkt_${marketId}`);
  const outcomes = moment.market(marketId)?.outcomes.filter(({ index }) => index === 0 || index === 1) ?? [];
  const fills = outcomes.flatMap((outcome) => moment.fillsOf(id, outcome.id));
  const side = (outcomeId: number) =>
    outcomes.find((outcome) => outcome.id === outcomeId)?.index === 0 ? "yes" : "no";
  comparison.same("fills", fills.length, rows.length).same("total", fills.length, body.total);
  const expected = new Map(fills.map((fill) => [`pe_${fill.id}`, fill]));
  for (const row of rows) {
    const fill = expected.get(row.id);
    if (fill === undefined) {
      comparison.same(row.id, "not listed", "listed");
      continue;
    }
    const sign = fill.kind === "buy" ? 1 : -1;
    comparison.same(`${row.id} amount_delta`, sign * sixDecimals(fill.shares), row.amount_delta);
    comparison.same(`${row.id} usdc_notional`, cents(fill.usd), row.usdc_notional);
    comparison.same(`${row.id} price`, shownPrice(tradedPrice(fill.usd, fill.shares)), row.price);
    comparison.same(`${row.id} outcome_side`, side(fill.outcomeId), row.outcome_side);
  }
  // The newest fill of a side leaves all bought shares less all sold shares.
  for (const outcome of outcomes) {
    const newest = rows.find((row) => row.outcome_side === side(outcome.id));
    const left = moment
      .fillsOf(id, outcome.id)
      .reduce((sum, { kind, shares }) => sum + (kind === "buy" ? shares : -shares), 0n);
    if (newest !== undefined)
      comparison.same(`${side(outcome.id)} running_amount`, sixDecimals(left), newest.running_amount);
  }
  return [comparison.item()];
}
