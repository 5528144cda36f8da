import { cents, shownPrice } from "../decimal.ts";
import { Comparison, type Item, type Question } from "../compare.ts";
import { isAwaitingResult, isLiveBook, isOver, type MarketFacts, type OutcomeFacts } from "../price.ts";
import { parsePrice } from "../decimal.ts";
import { expectOk, type Json } from "../api.ts";
import type { LedgerSnapshot } from "../ledger-mirror.ts";
import { isCombination } from "../trader-audit-figures.ts";
import { isoAt, marketPath, type AuditContext } from "./context.ts";
import { comparePrices, isListed, allMarketsOf, sidesOf } from "./prices.ts";

const statusOf = (market: MarketFacts, moment: LedgerSnapshot) => (isOver(market, moment.atMs) ? "closed" : "active");

/** Every market that is not a combination, by condition id. */
export function snapshotQuestions({ api, world, sample }: AuditContext): Question[] {
  return sample(allMarketsOf(world.now()).filter((market) => !isCombination(market))).map(({ id, conditionId }) => ({
    key: conditionId,
    async ask() {
      const path = marketPath(conditionId, "snapshot?expand=trust");
      const read = expectOk(await api.get(path), path);
      return { ...read, judge: (moment) => compareSnapshot(moment.market(id), read.body.data, moment) };
    },
  }));
}

function compareSnapshot(market: MarketFacts | undefined, data: Json, moment: LedgerSnapshot): Item[] {
  if (market === undefined) return [];
  const comparison = new Comparison(market.conditionId);
  comparison.same("market.status", statusOf(market, moment), data.market.status);
  comparison.same("market.resolved_at", market.resolvedAt, data.market.resolved_at);
  comparison.same("market.market_result", resultOf(market), data.market.market_result);
  const { market_data: marketData, top_of_book: topOfBook } = data.freshness;
  if (isAwaitingResult(market, moment.atMs)) {
    for (const [name, { status }] of Object.entries<Json>({ market_data: marketData, top_of_book: topOfBook })) {
      comparison.holds(`freshness.${name}`, status !== "fresh", "not fresh: its result is awaited", status);
    }
    comparison.holds(
      "trust.freshness",
      data.trust.current_price.freshness.status !== "fresh",
      "not fresh",
      data.trust.current_price.freshness.status,
    );
  }
  if (market.payoutsPpm !== null)
    comparison.holds(
      "freshness.market_data",
      marketData.status !== "stale",
      "not stale: its facts are final",
      marketData.status,
    );
  const sides = sidesOf(market, moment);
  comparison.same("outcomes", sides === null ? 0 : 2, data.outcomes.length);
  if (sides === null) return [comparison.item()];
  const [yes, no] = data.outcomes;
  comparePrices(comparison, sides, { yes: yes?.current_price, no: no?.current_price }, undefined);
  compareBook(comparison, "yes", market, sides.yes, yes, moment);
  compareBook(comparison, "no", market, sides.no, no, moment);
  const priced = [sides.yesPrice, sides.noPrice].filter((price) => price !== null).length;
  const completeness = ["unavailable", "partial", "complete"][priced];
  comparison.same("trust.current_price.completeness", completeness, data.trust.current_price.completeness.status);
  return [comparison.item()];
}

function compareBook(
  comparison: Comparison,
  side: string,
  market: MarketFacts,
  outcome: OutcomeFacts,
  shown: Json,
  moment: LedgerSnapshot,
): void {
  const isLive = isLiveBook(market, outcome, moment.atMs);
  const quote = (text: string | null) => (isLive && text !== null ? shownPrice(parsePrice(text)) : undefined);
  comparison.same(`${side} side`, side, shown.side);
  comparison.same(`${side} token`, outcome.tokenId, shown.token_id);
  comparison.same(`${side} book`, isLive ? "available" : "unavailable", shown.top_of_book.status);
  comparison.same(`${side} best_bid`, quote(outcome.bestBid), shown.top_of_book.best_bid);
  comparison.same(`${side} best_ask`, quote(outcome.bestAsk), shown.top_of_book.best_ask);
}

function resultOf({ payoutsPpm, outcomes }: MarketFacts): string | null {
  if (payoutsPpm === null) return null;
  const labelOf = (index: number) => outcomes.find((outcome) => outcome.index === index)?.label ?? null;
  const winner = payoutsPpm.indexOf(1_000_000);
  if (winner !== -1) return labelOf(winner);
  const parts = payoutsPpm.flatMap((ppm, index) =>
    ppm === 0 ? [] : [`${labelOf(index) ?? `outcome ${index}`} ${ppm / 10_000} %`],
  );
  return `split: ${parts.join(", ")}`;
}

/**
 * The whole list, once. Market fields are of the time of the request; the set of entries is of the build
 * time.
 */
export function exploreQuestions({ api }: AuditContext): Question[] {
  const path = "/api/v1/markets/explore?status=all&limit=48";
  return [
    {
      key: "explore",
      async ask() {
        const read = await api.walk(path);
        const shown = read.rows.flatMap((entry) => (entry.type === "group" ? entry.markets : [entry.market]));
        return {
          ...read,
          judge: (moment) => [
            ...compareEntries(read, moment),
            ...shown.flatMap((row: Json) => compareExplored(row, moment)),
          ],
        };
      },
    },
    ...(["active", "closed"] as const).map((status) => ({
      key: `explore ${status}`,
      async ask() {
        const read = await api.walk(`/api/v1/markets/explore?status=${status}&limit=48`);
        return { ...read, judge: (moment: LedgerSnapshot) => compareFiltered(read.rows, status, moment) };
      },
    })),
  ];
}

/**
 * Every event and every market without an event has an entry. A list may miss markets newer than its build
 * time.
 */
function compareEntries({ rows, body }: { rows: readonly Json[]; body: Json }, moment: LedgerSnapshot): Item[] {
  const listed = allMarketsOf(moment).filter(
    (market) => isListed(market) && (market.createdMs ?? 0) < Date.parse(body.computed_at) - NEW_MARKET_MS,
  );
  const inList = new Set(
    rows
      .flatMap((entry) => (entry.type === "group" ? entry.markets : [entry.market]))
      .map((row: Json) => row.condition_id),
  );
  const byEntry = Map.groupBy(listed, (market) =>
    market.eventId === null ? `market ${market.id}` : `event ${market.eventId}`,
  );
  const entries = [...byEntry].map(([id, markets]) =>
    new Comparison(id)
      .holds(
        "entry",
        markets.some(({ conditionId }) => inList.has(conditionId)),
        "listed",
        "not listed",
      )
      .item(),
  );
  const counted = body.facets.categories.reduce((sum: number, { count }: Json) => sum + count, 0);
  const total = new Comparison("total").same("total", rows.length, body.total);
  return [...entries, total.holds("facets", counted <= rows.length, `at most ${rows.length}`, counted).item()];
}

/**
 * A new market appears with a delay: it must be traded or listed, then hydrated, then the list must be
 * rebuilt.
 */
const NEW_MARKET_MS = 5 * 60_000;

function compareExplored(row: Json, moment: LedgerSnapshot): Item[] {
  const market = moment.marketOf(row.condition_id);
  const comparison = new Comparison(row.condition_id);
  if (market === undefined) return [comparison.same("market", "known", "not recorded").item()];
  if (!isListed(market)) return [comparison.same("market", "not listed", "a combination, or without a title").item()];
  comparison.same("status", statusOf(market, moment), row.status);
  const sides = sidesOf(market, moment);
  if (sides !== null) {
    comparePrices(comparison, sides, { yes: row.last_price, no: row.no_last_price }, null);
    comparison.same("price_status", sides.yesPrice === null ? "unavailable" : "available", row.freshness.price_status);
  }
  const trades = moment.largeTradesIn(market.id);
  const newest = trades.reduce((ms, { atMs }) => Math.max(ms, atMs), 0);
  comparison.same("large_trade_count", trades.length, row.large_trade_count);
  comparison.same(
    "large_trade_total_usd",
    cents(trades.reduce((sum, { size }) => sum + size, 0n)),
    row.large_trade_total_usd,
  );
  comparison.same(
    "large_trade_distinct_wallets",
    new Set(trades.map(({ traderId }) => traderId)).size,
    row.large_trade_distinct_wallets,
  );
  comparison.same("large_trade_last_at", newest === 0 ? null : isoAt(newest), row.large_trade_last_at);
  return [comparison.item()];
}

/** An entry matches a filter when one of its event's markets matches. */
function compareFiltered(rows: readonly Json[], status: string, moment: LedgerSnapshot): Item[] {
  const byEvent = Map.groupBy(allMarketsOf(moment), ({ eventId }) => eventId);
  return rows.flatMap((entry) => {
    const [first] = entry.type === "group" ? entry.markets : [entry.market];
    const market = moment.marketOf(first.condition_id);
    if (market === undefined) return [];
    const ofEntry = market.eventId === null ? [market] : (byEvent.get(market.eventId) ?? []);
    const has = ofEntry.some((one) => isListed(one) && statusOf(one, moment) === status);
    return [
      new Comparison(`${status} ${market.conditionId}`)
        .holds("status", has, `a market that is ${status}`, "none")
        .item(),
    ];
  });
}

/** Searches for every listed market by its own title. */
export function searchQuestions({ api, world, sample }: AuditContext): Question[] {
  return sample(allMarketsOf(world.now()).filter(isListed)).map(({ id, title, conditionId }) => ({
    key: conditionId,
    async ask() {
      const path = `/api/v1/markets/search?limit=100&q=${encodeURIComponent((title ?? "").slice(0, 500))}`;
      const read = expectOk(await api.get(path), path);
      return { ...read, judge: (moment) => compareFound(moment.market(id), read.body, moment) };
    },
  }));
}

function compareFound(market: MarketFacts | undefined, body: Json, moment: LedgerSnapshot): Item[] {
  if (market === undefined) return [];
  const comparison = new Comparison(market.conditionId);
  const combinations = body.data.filter((row: Json) => isCombination({ conditionId: row.condition_id }));
  comparison.same("combinations found", 0, combinations.length);
  const found = body.data.find((row: Json) => row.condition_id === market.conditionId);
  if (found === undefined) comparison.holds("row", body.has_more, "found by its title", "not found");
  else comparison.same("status", statusOf(market, moment), found.status);
  return [comparison.item()];
}
