import { divideHalfAway } from "./decimal.ts";

/** One row of `ledger_entries`. Amounts are millionths, times are milliseconds since 1970. */
export interface Entry {
  readonly id: number;
  readonly traderId: number;
  readonly outcomeId: number;
  readonly marketId: number;
  readonly kind: "buy" | "sell" | "split" | "merge" | "convert_in" | "convert_out";
  readonly shares: bigint;
  readonly usd: bigint;
  /** Null while the fee is unknown. */
  readonly fee: bigint | null;
  readonly price: string;
  readonly role: string | null;
  readonly txHash: string;
  readonly ordinal: number;
  readonly atMs: number;
  readonly recordedMs: number;
}

/** The average-cost fold of one trader's entries in one outcome. */
export interface AuditPosition {
  readonly outcomeId: number;
  readonly marketId: number;
  readonly shares: bigint;
  readonly cost: bigint;
  readonly realized: bigint;
  readonly fees: bigint;
  /** Dollars of purchases and sales. */
  readonly volume: bigint;
  /** Shares that left without a recorded acquisition. */
  readonly unmatched: bigint;
  readonly firstMs: number;
  readonly lastMs: number;
  /** By UTC day (`2026-11-22`). */
  readonly days: ReadonlyMap<string, PositionDay>;
}

export interface PositionDay {
  readonly realized: bigint;
  readonly fees: bigint;
  readonly volume: bigint;
  readonly entries: number;
  /** Whether the day has a purchase or a sale. */
  readonly traded: boolean;
}

export const utcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

// The provider orders by seconds only, so additions come before removals within one second.
const WITHIN_A_SECOND: readonly Entry["kind"][] = ["split", "buy", "convert_in", "merge", "convert_out", "sell"];

const compare = <T extends bigint | string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

const inOrder = (a: Entry, b: Entry): number =>
  compare(a.atMs, b.atMs) ||
  compare(WITHIN_A_SECOND.indexOf(a.kind), WITHIN_A_SECOND.indexOf(b.kind)) ||
  compare(a.txHash, b.txHash) ||
  compare(a.shares, b.shares) ||
  compare(a.ordinal, b.ordinal);

/**
 * Folds all entries of one trader in one outcome. An addition adds its dollars to the cost. A removal takes
 * the cost along in proportion and realizes its dollars less that cost, each rounded half away from zero to
 * the micro-dollar. Unmatched shares realize nothing.
 *
 * @param entries at least one, in any order
 */
export function foldPosition(entries: readonly Entry[]): AuditPosition {
  const [first] = entries;
  if (first === undefined) throw new Error("a position has at least one entry");
  let [shares, cost, realized, fees, volume, unmatched] = [0n, 0n, 0n, 0n, 0n, 0n];
  const days = new Map<string, PositionDay>();
  for (const { kind, shares: moved, usd, fee, atMs } of entries.toSorted(inOrder)) {
    const isTrade = kind === "buy" || kind === "sell";
    let made = 0n;
    if (kind === "buy" || kind === "split" || kind === "convert_in") {
      shares += moved;
      cost += usd;
    } else {
      const known = moved < shares ? moved : shares;
      unmatched += moved - known;
      if (known > 0n) {
        const costOfKnown = divideHalfAway(cost * known, shares);
        made = divideHalfAway(usd * known, moved) - costOfKnown;
        shares -= known;
        cost -= costOfKnown;
      }
    }
    realized += made;
    fees += fee ?? 0n;
    if (isTrade) volume += usd;
    const day = utcDay(atMs);
    const soFar = days.get(day) ?? { realized: 0n, fees: 0n, volume: 0n, entries: 0, traded: false };
    days.set(day, {
      realized: soFar.realized + made,
      fees: soFar.fees + (fee ?? 0n),
      volume: soFar.volume + (isTrade ? usd : 0n),
      entries: soFar.entries + 1,
      traded: soFar.traded || isTrade,
    });
  }
  const times = entries.map(({ atMs }) => atMs);
  const [firstMs, lastMs] = times.reduce(
    ([low, high], ms) => [Math.min(low, ms), Math.max(high, ms)],
    [Infinity, -Infinity],
  );
  return {
    outcomeId: first.outcomeId,
    marketId: first.marketId,
    shares,
    cost,
    realized,
    fees,
    volume,
    unmatched,
    firstMs,
    lastMs,
    days,
  };
}

/**
 * The result of shares that a trader keeps until the payout.
 *
 * @param payoutPpm of one share, in millionths of a dollar
 */
export const settledResult = ({ shares, cost }: Pick<AuditPosition, "shares" | "cost">, payoutPpm: number): bigint =>
  divideHalfAway(shares * BigInt(payoutPpm), 1_000_000n) - cost;
