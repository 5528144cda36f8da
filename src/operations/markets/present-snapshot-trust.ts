import type { z } from "zod";
import type { SnapshotRow } from "../../queries/markets.ts";
import { spreadBps } from "../../scoring/top-of-book.ts";
import { agedTrust, computedTrust, missingTrust, storedTrust, type Trust } from "../trust.ts";
import { BOOK_STALE_AFTER_S } from "./book-age.ts";
import type { MarketSnapshot } from "./snapshot-schemas.ts";

type SnapshotTrust = NonNullable<z.input<typeof MarketSnapshot>["trust"]>;
type Outcome = SnapshotRow["outcomes"][number];

/**
 * How far the prices and spreads of a market can be trusted. What is said holds for both outcomes: partial when only one has the value, and as old
 * as the older one.
 *
 * @param pair YES and NO; empty for a market that has no such sides
 */
export function presentSnapshotTrust(row: SnapshotRow, pair: readonly Outcome[], now: Date): SnapshotTrust {
  const priced = pair.filter(({ price }) => price !== null);
  const spread = pair.filter((outcome) => spreadBps(fraction(outcome.best_bid), fraction(outcome.best_ask)) !== null);
  return {
    current_price: priced.length === 0 ? missingPrice(row, pair) : ofBoth(priceTrust(row, priced, now), priced, pair),
    spread_bps:
      spread.length === 0
        ? missingTrust("outcomes.best_ask", "unavailable", pair.length === 0 ? NO_PAIR : MISSING_SPREAD[row.phase])
        : ofBoth(bookTrust("outcomes.best_ask", spread, now), spread, pair),
  };
}

const MISSING_SPREAD = {
  open: "no outcome has both a bid and an ask now",
  awaiting_result: "trading is over",
  resolved: "trading is over",
} as const;

const fraction = (text: string | null) => (text === null ? null : Number(text));

const NO_PAIR = "the market's outcomes are not known yet, or it has more than a YES and a NO";

function missingPrice({ phase }: SnapshotRow, pair: readonly Outcome[]): Trust {
  if (pair.length === 0) return missingTrust("outcomes.last_trade_price", "unavailable", NO_PAIR);
  if (phase === "resolved") return missingTrust("markets.payouts_ppm", "unavailable", "its payouts cannot be told apart by outcome");
  const missing =
    phase === "open" ? "there are no quotes near each other, and no trade is known" : "trading is over, and no trade is known";
  return missingTrust("outcomes.last_trade_price", "unavailable", missing);
}

function ofBoth(trust: Trust, having: readonly Outcome[], pair: readonly Outcome[]): Trust {
  if (having.length === pair.length) return trust;
  return { ...trust, completeness: { status: "partial", detail: "one of the outcomes has none" } };
}

/** @param priced the outcomes that have a price, one at least */
function priceTrust({ phase, resolved_at: resolvedAt }: SnapshotRow, priced: readonly Outcome[], now: Date): Trust {
  if (phase === "resolved") return payoutTrust(resolvedAt);
  if (priced.some(({ price_basis: basis }) => basis === "midpoint")) return bookTrust("outcomes.best_bid", priced, now);
  const trust = storedTrust("outcomes.last_trade_price", oldestOf(priced.map((outcome) => outcome.last_trade_at)));
  const { as_of: asOf } = trust.freshness;
  const clock = asOf === undefined ? {} : { as_of: asOf };
  if (phase === "open") return { ...trust, freshness: { status: lastTradeStatus(priced, now), ...clock } };
  return {
    ...trust,
    freshness: { status: "stale", ...clock },
    reconciliation: { status: "db_mirror", detail: "the last recorded trade; trading is over, and the result is awaited" },
  };
}

/** A payout is the provider's, and final. */
const payoutTrust = (resolvedAt: string | null): Trust => ({
  source: { kind: "provider", owner: "markets.payouts_ppm" },
  freshness: { status: "not_live", ...(resolvedAt === null ? {} : { as_of: resolvedAt }) },
  reconciliation: { status: "provider_backed" },
  completeness: { status: "complete" },
});

/** A last trade is the price while the books are known to have no midpoint. It may be old and still be the last one. */
function lastTradeStatus(priced: readonly Outcome[], now: Date): Trust["freshness"]["status"] {
  return bookTrust("outcomes.best_bid", priced, now).freshness.status;
}

/** What books say, as old as the oldest of them. */
function bookTrust(owner: string, outcomes: readonly Outcome[], now: Date): Trust {
  const maxAgeSeconds = Math.min(...outcomes.map(({ book_source: source }) => BOOK_STALE_AFTER_S[source ?? "gamma_market"]));
  return agedTrust(computedTrust(owner, oldestOf(outcomes.map((outcome) => outcome.book_as_of))), { maxAgeSeconds, now });
}

/** Null when one of them has no clock. */
const oldestOf = (clocks: readonly (string | null)[]): string | null => (clocks.includes(null) ? null : (clocks.toSorted()[0] ?? null));
