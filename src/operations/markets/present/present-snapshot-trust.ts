import type { z } from "zod";
import type { SnapshotRow } from "../../../queries/markets/market-snapshot.ts";
import { spreadBps } from "../../../scoring/top-of-book.ts";
import { withMaxAge, computedTrust, missingTrust, storedTrust, type Trust } from "../../trust.ts";
import { BOOK_STALE_AFTER_SECONDS } from "./book-age.ts";
import type { MarketSnapshot } from "../schemas/snapshot-schemas.ts";

type SnapshotTrust = NonNullable<z.input<typeof MarketSnapshot>["trust"]>;
type Outcome = SnapshotRow["outcomes"][number];

/**
 * Trust of the prices and spreads of a market. Each value is for both outcomes together: partial when only
 * one outcome has the value, and as old as the older one.
 *
 * @param pair YES and NO; empty for a market without exactly two outcomes
 */
export function presentSnapshotTrust(row: SnapshotRow, pair: readonly Outcome[], now: Date): SnapshotTrust {
  const priced = pair.filter(({ price }) => price !== null);
  const spread = pair.filter(
    (outcome) => spreadBps(toFraction(outcome.best_bid), toFraction(outcome.best_ask)) !== null,
  );
  return {
    current_price:
      priced.length === 0 ? missingPrice(row, pair) : withPairCompleteness(priceTrust(row, priced, now), priced, pair),
    spread_bps:
      spread.length === 0
        ? missingTrust("outcomes.best_ask", "unavailable", pair.length === 0 ? NO_PAIR : MISSING_SPREAD[row.phase])
        : withPairCompleteness(bookTrust("outcomes.best_ask", spread, now), spread, pair),
  };
}

const MISSING_SPREAD = {
  open: "no outcome has both a bid and an ask now",
  awaiting_result: "trading is over",
  resolved: "trading is over",
} as const;

const toFraction = (text: string | null) => (text === null ? null : Number(text));

const NO_PAIR = "the market's outcomes are not known yet, or it has more than two outcomes";

function missingPrice({ phase }: SnapshotRow, pair: readonly Outcome[]): Trust {
  if (pair.length === 0) return missingTrust("outcomes.last_trade_price", "unavailable", NO_PAIR);
  if (phase === "resolved")
    return missingTrust("markets.payouts_ppm", "unavailable", "its payouts cannot be assigned to outcomes");
  const missing =
    phase === "open"
      ? "bid and ask are missing or too far apart, and no trade is known"
      : "trading is over, and no trade is known";
  return missingTrust("outcomes.last_trade_price", "unavailable", missing);
}

function withPairCompleteness(trust: Trust, withValue: readonly Outcome[], pair: readonly Outcome[]): Trust {
  if (withValue.length === pair.length) return trust;
  return { ...trust, completeness: { status: "partial", detail: "only one of the two outcomes has the value" } };
}

/** @param priced the outcomes that have a price, at least one */
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
    reconciliation: {
      status: "db_mirror",
      detail: "the last recorded trade; trading is over, and the result is awaited",
    },
  };
}

/** Trust of a payout, which comes from the provider and is final. */
const payoutTrust = (resolvedAt: string | null): Trust => ({
  source: { kind: "provider", owner: "markets.payouts_ppm" },
  freshness: { status: "not_live", ...(resolvedAt === null ? {} : { as_of: resolvedAt }) },
  reconciliation: { status: "provider_backed" },
  completeness: { status: "complete" },
});

/**
 * The last trade is the price as long as fresh books have no midpoint, so its freshness is that of the books,
 * not its age.
 */
function lastTradeStatus(priced: readonly Outcome[], now: Date): Trust["freshness"]["status"] {
  return bookTrust("outcomes.best_bid", priced, now).freshness.status;
}

/** Trust of a value from the books, as old as the oldest book. */
function bookTrust(owner: string, outcomes: readonly Outcome[], now: Date): Trust {
  const maxAgeSeconds = Math.min(
    ...outcomes.map(({ book_source: source }) => BOOK_STALE_AFTER_SECONDS[source ?? "gamma_market"]),
  );
  return withMaxAge(computedTrust(owner, oldestOf(outcomes.map((outcome) => outcome.book_as_of))), {
    maxAgeSeconds,
    now,
  });
}

/** The oldest timestamp; null when any of them is null. */
const oldestOf = (clocks: readonly (string | null)[]): string | null =>
  clocks.includes(null) ? null : (clocks.toSorted()[0] ?? null);
