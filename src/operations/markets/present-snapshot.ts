import type { z } from "zod";
import { formatId } from "../../domain/ids.ts";
import { presentDecimal } from "../../domain/money.ts";
import type { SnapshotRow } from "../../queries/markets.ts";
import { currentPrice, spreadBps } from "../../scoring/top-of-book.ts";
import { BOOK_STALE_AFTER_S } from "./book-age.ts";
import { presentSnapshotTrust } from "./present-snapshot-trust.ts";
import type { MarketSnapshot } from "./snapshot-schemas.ts";

type Snapshot = z.input<typeof MarketSnapshot>;
type Outcome = SnapshotRow["outcomes"][number];

const FIGURES_STALE_AFTER_S = 600;
const PPM = 1_000_000;
const NOT_LIVE = "live scores are not covered in this release";

export function presentSnapshot(row: SnapshotRow, now: Date, withTrust: boolean): Snapshot {
  const [yes, no] = row.outcomes;
  const pair = row.outcomes.length === 2 && yes !== undefined && no !== undefined ? [yes, no] : [];
  const book = firstToExpire(row);
  // Sides have names in markets of two outcomes only.
  const outcomes = pair.map((outcome, index) => presentOutcome(outcome, index === 0 ? "yes" : "no", row.over));
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
      status: row.over ? "closed" : "active",
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
      market_data:
        row.figures_as_of === null
          ? { status: "unavailable", source: "gamma_market", reason: "the provider's market has not been read yet" }
          : clocked("gamma_market", row.figures_as_of, FIGURES_STALE_AFTER_S, now),
      top_of_book: presentBookFreshness(row, book, now),
      live_sports: { status: "unavailable", source: "none", reason: NOT_LIVE },
    },
    ...(withTrust ? { trust: presentSnapshotTrust(row, pair, now) } : {}),
  };
}

interface BookClock {
  readonly source: "clob_book" | "gamma_market";
  readonly asOf: string;
}

/** Of two outcomes' books the one that goes stale first speaks for both. */
function firstToExpire(row: SnapshotRow): BookClock | null {
  if (row.over) return null;
  const clocks = row.outcomes.flatMap(({ book_source, book_as_of }) =>
    book_source === null || book_as_of === null ? [] : [{ source: book_source, asOf: book_as_of }],
  );
  const expiresAt = ({ source, asOf }: BookClock) => Date.parse(asOf) + BOOK_STALE_AFTER_S[source] * 1000;
  return clocks.toSorted((a, b) => expiresAt(a) - expiresAt(b))[0] ?? null;
}

function presentBookFreshness(row: SnapshotRow, book: BookClock | null, now: Date): Snapshot["freshness"]["top_of_book"] {
  if (book !== null) return clocked(book.source, book.asOf, BOOK_STALE_AFTER_S[book.source], now);
  const reason = row.over ? "trading is over" : "no book has been read yet";
  return { status: "unavailable", source: "clob_book", reason };
}

function clocked(source: string, asOf: string, staleAfterSeconds: number, now: Date): Snapshot["freshness"]["market_data"] {
  const stale = now.getTime() - Date.parse(asOf) > staleAfterSeconds * 1000;
  return {
    status: stale ? "stale" : "fresh",
    source,
    as_of: asOf,
    stale_after_s: staleAfterSeconds,
    ...(stale ? { reason: "not read again in time" } : {}),
  };
}

const fraction = (text: string | null) => (text === null ? null : Number(text));

function presentOutcome(outcome: Outcome, side: "yes" | "no", over: boolean): Snapshot["outcomes"][number] {
  const bid = over ? null : fraction(outcome.best_bid);
  const ask = over ? null : fraction(outcome.best_ask);
  const price = currentPrice(bid, ask, fraction(outcome.last_trade_price));
  return {
    side,
    label: outcome.label ?? (side === "yes" ? "Yes" : "No"),
    token_id: outcome.token_id,
    ...(price === null ? {} : { current_price: truncate(price) }),
    top_of_book: bid === null && ask === null ? withoutBook(over) : presentBook(outcome, bid, ask),
  };
}

function withoutBook(over: boolean): Snapshot["outcomes"][number]["top_of_book"] {
  return { status: "unavailable", source: "clob_book", reason: over ? "trading is over" : "no quotes" };
}

function presentBook(outcome: Outcome, bid: number | null, ask: number | null): Snapshot["outcomes"][number]["top_of_book"] {
  const spread = spreadBps(bid, ask);
  const bidDepth = presentDecimal(outcome.bid_depth_usd, 2);
  const askDepth = presentDecimal(outcome.ask_depth_usd, 2);
  return {
    status: "available",
    source: outcome.book_source ?? "clob_book",
    ...(bid === null ? {} : { best_bid: truncate(bid) }),
    ...(ask === null ? {} : { best_ask: truncate(ask) }),
    ...(spread === null ? {} : { spread_bps: spread }),
    ...(bidDepth === null ? {} : { bid_depth_usdc: bidDepth }),
    ...(askDepth === null ? {} : { ask_depth_usdc: askDepth }),
  };
}

/** Four decimals toward zero. The provider's prices have ten at most; a tenth of the last undoes what floating point took off a decimal. */
function truncate(price: number): number {
  return Math.trunc((price + 1e-11) * 10_000) / 10_000;
}

/** The winner's label; both labels when the payout was split; null while unresolved or when labels are unknown. */
function resultOf(row: SnapshotRow): string | null {
  const { payouts_ppm: payouts } = row;
  if (payouts === null) return null;
  const labelOf = (index: number) => row.outcomes.find((outcome) => outcome.index === index)?.label ?? null;
  const winner = payouts.indexOf(PPM);
  if (winner !== -1) return labelOf(winner);
  const shares = payouts.flatMap((ppm, index) => (ppm === 0 ? [] : [`${labelOf(index) ?? `outcome ${index}`} ${ppm / 10_000} %`]));
  return `split: ${shares.join(", ")}`;
}
