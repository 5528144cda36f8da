import type { z } from "zod";
import { formatId } from "../../../domain/ids.ts";
import { presentDecimal } from "../../../domain/money.ts";
import { presentPrice, presentSecondPrice } from "../../../domain/markets/present-price.ts";
import type { SnapshotRow } from "../../../queries/markets/market-snapshot.ts";
import { spreadBps } from "../../../scoring/top-of-book.ts";
import { BOOK_STALE_AFTER_SECONDS } from "./book-age.ts";
import { presentSnapshotTrust } from "./present-snapshot-trust.ts";
import type { MarketSnapshot } from "../schemas/snapshot-schemas.ts";

type Snapshot = z.input<typeof MarketSnapshot>;
type Freshness = Snapshot["freshness"]["market_data"];
type Outcome = SnapshotRow["outcomes"][number];

const FIGURES_STALE_AFTER_S = 600;
const PPM = 1_000_000;
const NOT_LIVE = "live scores are not covered in this release";

export function presentSnapshot(row: SnapshotRow, now: Date, withTrust: boolean): Snapshot {
  const [yes, no] = row.outcomes;
  const pair = row.outcomes.length === 2 && yes !== undefined && no !== undefined ? [yes, no] : [];
  // Only markets with exactly two outcomes have a YES and a NO side.
  const outcomes = pair.map((outcome, index) => presentOutcome(outcome, index === 0 ? null : (yes ?? null), row.phase));
  return {
    market: {
      id: formatId("market", row.id),
      condition_id: row.condition_id,
      provider: "polymarket",
      title: row.title,
      slug: row.slug,
      page_slug: row.slug,
      event_slug: row.event_slug,
      category: row.category,
      status: row.phase === "open" ? "active" : "closed",
      description: row.description,
      image: row.image,
      series_slug: row.series_slug,
      market_type: row.market_type,
      market_result: resultOf(row),
      created_at: row.created_at,
      end_date: row.end_at,
      resolved_at: row.resolved_at,
    },
    outcomes,
    liquidity: {
      source: "gamma_market",
      volume_usd: presentDecimal(row.volume_usd, 2),
      liquidity_usd: presentDecimal(row.liquidity_usd, 2),
      volume_24h_usd: presentDecimal(row.volume_24h_usd, 2),
      last_price: null,
    },
    sports: { status: "unavailable", source: "none", reason: NOT_LIVE },
    freshness: {
      market_data: presentMarketDataFreshness(row, now),
      top_of_book: presentBookFreshness(row, now),
      live_sports: { status: "unavailable", source: "none", reason: NOT_LIVE },
    },
    ...(withTrust ? { trust: presentSnapshotTrust(row, pair, now) } : {}),
  };
}

interface BookClock {
  readonly source: "clob_book" | "gamma_market";
  readonly asOf: string;
}

/** Reason why a market that no longer trades has no book and no fresh data. */
const TRADING_OVER = {
  awaiting_result: "trading is over, and the result is awaited",
  resolved: "trading is over: the market has resolved, and its result and prices are final",
} as const;

function presentMarketDataFreshness(row: SnapshotRow, now: Date): Freshness {
  const source = "gamma_market";
  const { phase, figures_as_of: asOf } = row;
  if (asOf === null) return { status: "unavailable", source, reason: "the provider's market has not been read yet" };
  if (phase === "open") return presentAge(source, asOf, FIGURES_STALE_AFTER_S, now);
  return { status: phase === "resolved" ? "not_live" : "stale", source, as_of: asOf, reason: TRADING_OVER[phase] };
}

function presentBookFreshness(row: SnapshotRow, now: Date): Freshness {
  if (row.phase !== "open") return { status: "unavailable", source: "clob_book", reason: TRADING_OVER[row.phase] };
  const book = firstToExpire(row);
  return book === null
    ? { status: "unavailable", source: "clob_book", reason: "no book has been read yet" }
    : presentAge(book.source, book.asOf, BOOK_STALE_AFTER_SECONDS[book.source], now);
}

/** The book that becomes stale first decides for both outcomes. */
function firstToExpire(row: SnapshotRow): BookClock | null {
  const clocks = row.outcomes.flatMap(({ book_source, book_as_of }) =>
    book_source === null || book_as_of === null ? [] : [{ source: book_source, asOf: book_as_of }],
  );
  const expiresAt = ({ source, asOf }: BookClock) => Date.parse(asOf) + BOOK_STALE_AFTER_SECONDS[source] * 1000;
  return clocks.toSorted((a, b) => expiresAt(a) - expiresAt(b))[0] ?? null;
}

function presentAge(source: string, asOf: string, staleAfterSeconds: number, now: Date): Freshness {
  const stale = now.getTime() - Date.parse(asOf) > staleAfterSeconds * 1000;
  return {
    status: stale ? "stale" : "fresh",
    source,
    as_of: asOf,
    stale_after_s: staleAfterSeconds,
    ...(stale ? { reason: "not read again in time" } : {}),
  };
}

/** @param yes the first outcome when `outcome` is the second one; null when `outcome` is the first one */
function presentOutcome(
  outcome: Outcome,
  yes: Outcome | null,
  phase: SnapshotRow["phase"],
): Snapshot["outcomes"][number] {
  const price = yes === null ? presentPrice(outcome.price) : presentSecondPrice(outcome.price, yes.price);
  return {
    side: yes === null ? "yes" : "no",
    label: outcome.label ?? (yes === null ? "Yes" : "No"),
    token_id: outcome.token_id,
    ...(price === null ? {} : { current_price: price }),
    top_of_book: presentBook(outcome, phase),
  };
}

const toFraction = (text: string | null) => (text === null ? null : Number(text));

function presentBook(outcome: Outcome, phase: SnapshotRow["phase"]): Snapshot["outcomes"][number]["top_of_book"] {
  const [bid, ask] = [presentPrice(outcome.best_bid), presentPrice(outcome.best_ask)];
  if (bid === null && ask === null) {
    return { status: "unavailable", source: "clob_book", reason: phase === "open" ? "no quotes" : TRADING_OVER[phase] };
  }
  const spread = spreadBps(toFraction(outcome.best_bid), toFraction(outcome.best_ask));
  const bidDepth = presentDecimal(outcome.bid_depth_usd, 2);
  const askDepth = presentDecimal(outcome.ask_depth_usd, 2);
  return {
    status: "available",
    source: outcome.book_source ?? "clob_book",
    ...(bid === null ? {} : { best_bid: bid }),
    ...(ask === null ? {} : { best_ask: ask }),
    ...(spread === null ? {} : { spread_bps: spread }),
    ...(bidDepth === null ? {} : { bid_depth_usdc: bidDepth }),
    ...(askDepth === null ? {} : { ask_depth_usdc: askDepth }),
  };
}

/**
 * Label of the winner, or both labels when the payout was split; null while unresolved or when the label is
 * unknown.
 */
function resultOf(row: SnapshotRow): string | null {
  const { payouts_ppm: payouts } = row;
  if (payouts === null) return null;
  const labelOf = (index: number) => row.outcomes.find((outcome) => outcome.index === index)?.label ?? null;
  const winner = payouts.indexOf(PPM);
  if (winner !== -1) return labelOf(winner);
  const shares = payouts.flatMap((ppm, index) =>
    ppm === 0 ? [] : [`${labelOf(index) ?? `outcome ${index}`} ${ppm / 10_000} %`],
  );
  return `split: ${shares.join(", ")}`;
}
