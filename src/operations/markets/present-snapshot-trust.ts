import type { z } from "zod";
import type { SnapshotRow } from "../../queries/markets.ts";
import { currentPrice, spreadBps } from "../../scoring/top-of-book.ts";
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
export function presentSnapshotTrust({ over }: SnapshotRow, pair: readonly Outcome[], now: Date): SnapshotTrust {
  const judge = (holders: readonly Outcome[], trust: (asOf: string | null) => Trust, owner: string, missing: string): Trust => {
    if (holders.length === 0) return missingTrust(owner, "unavailable", missing);
    const told = age(trust(oldestClock(holders)), holders, over, now);
    if (holders.length === pair.length) return told;
    return { ...told, completeness: { status: "partial", detail: "one of the outcomes has none" } };
  };
  const priced = pair.filter((outcome) => midpointOf(outcome, over) !== null || outcome.last_trade_price !== null);
  const areTraded = priced.every((outcome) => midpointOf(outcome, over) === null);
  const priceOwner = areTraded && priced.length > 0 ? "outcomes.last_trade_price" : "outcomes.best_bid";
  const spread = pair.filter((outcome) => !over && spreadBps(fraction(outcome.best_bid), fraction(outcome.best_ask)) !== null);
  return {
    current_price: judge(
      priced,
      (asOf) => (areTraded ? storedTrust(priceOwner, asOf) : computedTrust(priceOwner, asOf)),
      priceOwner,
      "there are no quotes near each other, and no trade is known",
    ),
    spread_bps: judge(
      spread,
      (asOf) => computedTrust("outcomes.best_ask", asOf),
      "outcomes.best_ask",
      over ? "trading is over" : "no outcome has both a bid and an ask now",
    ),
  };
}

const fraction = (text: string | null) => (text === null ? null : Number(text));

/** The price that quotes alone give; those of a market that is over are old. */
const midpointOf = ({ best_bid: bid, best_ask: ask }: Outcome, over: boolean) =>
  over ? null : currentPrice(fraction(bid), fraction(ask), null);

/** Null when one of them has no clock. */
function oldestClock(outcomes: readonly Outcome[]): string | null {
  const clocks = outcomes.map((outcome) => outcome.book_as_of);
  return clocks.includes(null) ? null : (clocks.toSorted()[0] ?? null);
}

/** The last price of a market that is over stays what it is; any other goes stale. */
function age(trust: Trust, outcomes: readonly Outcome[], over: boolean, now: Date): Trust {
  if (over) return { ...trust, freshness: { ...trust.freshness, status: "not_live" } };
  const maxAgeSeconds = Math.min(...outcomes.map(({ book_source: source }) => BOOK_STALE_AFTER_S[source ?? "gamma_market"]));
  return agedTrust(trust, { maxAgeSeconds, now });
}
