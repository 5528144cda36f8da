import { divideHalfAway } from "./decimal.ts";

/** One row of `ledger_entries`. Amounts are millionths, moments milliseconds since 1970. */
export interface Entry {
  readonly id: number;
  readonly traderId: number;
  readonly outcomeId: number;
  readonly marketId: number;
  readonly kind: "buy" | "sell" | "split" | "merge" | "convert_in" | "convert_out";
  readonly shares: bigint;
  readonly usd: bigint;
  /** Null while it is not known. */
  readonly fee: bigint | null;
  readonly price: string;
  readonly role: string | null;
  readonly tx: string;
  readonly ordinal: number;
  readonly atMs: number;
  readonly recordedMs: number;
}

/** What one wallet's entries in one outcome come to by average cost. */
export interface Holding {
  readonly outcomeId: number;
  readonly marketId: number;
  readonly shares: bigint;
  readonly cost: bigint;
  readonly realized: bigint;
  readonly fees: bigint;
  /** Dollars of purchases and sales. */
  readonly volume: bigint;
  /** Shares that left without having been seen to come. */
  readonly unmatched: bigint;
  readonly firstMs: number;
  readonly lastMs: number;
  /** By UTC day (`2026-11-22`). */
  readonly days: ReadonlyMap<string, HoldingDay>;
}

export interface HoldingDay {
  readonly realized: bigint;
  readonly fees: bigint;
  readonly volume: bigint;
  readonly entries: number;
  /** Whether there is a purchase or sale among them. */
  readonly traded: boolean;
}

export const utcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

// Shares have to come before they can go: the provider orders seconds only.
const WITHIN_A_SECOND: readonly Entry["kind"][] = ["split", "buy", "convert_in", "merge", "convert_out", "sell"];

const compare = <T extends bigint | string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

const inOrder = (a: Entry, b: Entry): number =>
  compare(a.atMs, b.atMs) ||
  compare(WITHIN_A_SECOND.indexOf(a.kind), WITHIN_A_SECOND.indexOf(b.kind)) ||
  compare(a.tx, b.tx) ||
  compare(a.shares, b.shares) ||
  compare(a.ordinal, b.ordinal);

/**
 * Folds all entries of one wallet in one outcome. What comes adds its dollars to the cost. What goes takes the cost along in proportion and
 * realizes its dollars less that cost, each rounded half away from zero to the micro-dollar; shares that were never seen to come realize nothing.
 *
 * @param entries at least one, in any order
 */
export function foldHolding(entries: readonly Entry[]): Holding {
  const [first] = entries;
  if (first === undefined) throw new Error("a holding has at least one entry");
  let [shares, cost, realized, fees, volume, unmatched] = [0n, 0n, 0n, 0n, 0n, 0n];
  const days = new Map<string, HoldingDay>();
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
    const so = days.get(day) ?? { realized: 0n, fees: 0n, volume: 0n, entries: 0, traded: false };
    days.set(day, {
      realized: so.realized + made,
      fees: so.fees + (fee ?? 0n),
      volume: so.volume + (isTrade ? usd : 0n),
      entries: so.entries + 1,
      traded: so.traded || isTrade,
    });
  }
  const times = entries.map(({ atMs }) => atMs);
  const [firstMs, lastMs] = times.reduce(([low, high], ms) => [Math.min(low, ms), Math.max(high, ms)], [Infinity, -Infinity]);
  return { outcomeId: first.outcomeId, marketId: first.marketId, shares, cost, realized, fees, volume, unmatched, firstMs, lastMs, days };
}

/** What shares held to the end made. @param payoutPpm of one share, in millionths of a dollar */
export const settledResult = ({ shares, cost }: Pick<Holding, "shares" | "cost">, payoutPpm: number): bigint =>
  divideHalfAway(shares * BigInt(payoutPpm), 1_000_000n) - cost;
