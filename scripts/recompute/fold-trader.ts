import { compareLedgerEntries, type EntryOrderKey } from "../../src/scoring/ledger-entry-order.ts";
import {
  applyEntry,
  EMPTY_POSITION,
  settledMicro,
  type FoldEntry,
  type PositionState,
} from "../../src/scoring/position-fold.ts";
import { countMarkets } from "./count-markets.ts";
import { rowText, type FiguresTable, type Rows, type RowValues, type TraderRows } from "./figures.ts";
import { DAY_MS } from "../../src/scoring/utc-calendar.ts";

/** A ledger entry with its stored result. */
export interface FoldableEntry extends FoldEntry, EntryOrderKey {
  readonly outcomeId: string;
  readonly kind: FoldEntry["kind"];
  readonly sharesMicro: bigint;
  readonly realizedMicro: bigint | null;
}

export interface RecordedEntry extends FoldableEntry {
  readonly id: string;
}

/**
 * The payout of an outcome, in millionths a share, and the UTC day it counts on, from 1970-01-01; both null
 * while its market is unresolved.
 */
export interface OutcomePayout {
  readonly marketId: string;
  /** A combination whose legs are not known counts in volume and not in profit. */
  readonly isExcluded: boolean;
  readonly payoutPpm: number | null;
  readonly settledOn: number | null;
}

/** Rebates and rewards of one UTC day, counted from 1970-01-01. */
export interface Receipts {
  readonly day: number;
  readonly rebatesMicro: bigint;
  readonly rewardsMicro: bigint;
  readonly firstAtMs: number;
}

export interface TraderLedger<Entry = RecordedEntry> {
  readonly traderId: string;
  readonly entries: readonly Entry[];
  readonly receipts: readonly Receipts[];
}

export interface FoldedPosition {
  readonly outcomeId: string;
  readonly marketId: string;
  readonly isExcluded: boolean;
  readonly state: PositionState;
  readonly settledMicro: bigint | null;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
}

interface ChangedRealized<Entry> {
  /** Entries whose stored realized amount differs, with the computed one. */
  readonly changedRealized: readonly { entry: Entry; realizedMicro: bigint | null }[];
}

export interface FoldedTrader extends ChangedRealized<RecordedEntry> {
  readonly figures: TraderRows;
}

export interface FoldedLedger<Entry> extends ChangedRealized<Entry> {
  /** By outcome. */
  readonly positions: ReadonlyMap<string, FoldedPosition>;
  /** The row of totals; null for a trader without entries and receipts. */
  readonly totals: RowValues | null;
  /** The rows of days, by day as YYYY-MM-DD. */
  readonly days: ReadonlyMap<string, RowValues>;
}

const AMOUNTS = ["realized", "settled", "fees", "rebates", "rewards", "volume"] as const;

type Sums = Record<(typeof AMOUNTS)[number], bigint> & { entries: number };
type Days = ReadonlyMap<number, Sums>;

const noSums = (): Sums => ({ realized: 0n, settled: 0n, fees: 0n, rebates: 0n, rewards: 0n, volume: 0n, entries: 0 });

/** The figures of `foldLedger` as texts, for comparisons with stored rows. */
export function foldTrader(ledger: TraderLedger, outcomes: ReadonlyMap<string, OutcomePayout>): FoldedTrader {
  const folded = foldLedger(ledger, outcomes);
  const values = figuresOf(folded);
  const texts = (rows: ReadonlyMap<string, RowValues>): Rows =>
    new Map([...rows].map(([key, row]) => [key, rowText(row)]));
  const figures = {
    positions: texts(values.positions),
    trader_totals: texts(values.trader_totals),
    trader_days: texts(values.trader_days),
  };
  return { figures, changedRealized: folded.changedRealized };
}

/** The rows of each table of figures, by the key of `Rows`. */
export const figuresOf = ({
  positions,
  totals,
  days,
}: FoldedLedger<unknown>): Readonly<Record<FiguresTable, ReadonlyMap<string, RowValues>>> => ({
  positions: new Map([...positions].map(([outcomeId, position]) => [outcomeId, positionValues(position)])),
  trader_totals: new Map(totals === null ? [] : [["", totals]]),
  trader_days: days,
});

/**
 * Recomputes all incrementally maintained figures of a trader: its positions entry by entry, and sums by day
 * and over all. It shares the rules of `src/scoring` with the ledger's writer, but none of its bookkeeping,
 * so that each can check the other.
 */
export function foldLedger<Entry extends FoldableEntry>(
  { entries, receipts }: TraderLedger<Entry>,
  outcomes: ReadonlyMap<string, OutcomePayout>,
): FoldedLedger<Entry> {
  const positions = new Map<string, FoldedPosition>();
  const changedRealized: { entry: Entry; realizedMicro: bigint | null }[] = [];
  const days = new Map<number, Sums>();
  const sumsOf = (day: number): Sums => {
    let sums = days.get(day);
    if (sums === undefined) days.set(day, (sums = noSums()));
    return sums;
  };

  for (const [outcomeId, ofOutcome] of Map.groupBy(entries, (entry) => entry.outcomeId)) {
    const outcome = outcomes.get(outcomeId);
    if (outcome === undefined) throw new Error(`entries refer to outcome ${outcomeId}, which does not exist`);
    const { isExcluded } = outcome;
    let state = EMPTY_POSITION;
    const ordered = ofOutcome.sort(compareLedgerEntries);
    for (const entry of ordered) {
      const applied = applyEntry(state, entry);
      state = applied.state;
      if (applied.realizedMicro !== entry.realizedMicro)
        changedRealized.push({ entry, realizedMicro: applied.realizedMicro });
      const sums = sumsOf(utcDay(entry.tradedAtMs));
      sums.entries += 1;
      if (!isExcluded) {
        sums.realized += applied.realizedMicro ?? 0n;
        sums.fees += entry.feeMicro ?? 0n;
      }
      if (entry.kind === "buy" || entry.kind === "sell") sums.volume += entry.usdMicro;
    }
    const settled = outcome.payoutPpm === null ? null : settledMicro(state, outcome.payoutPpm);
    // A market with payouts and no settlement day is reported by compareSettlementDays.
    if (settled !== null && outcome.settledOn !== null) sumsOf(outcome.settledOn).settled += settled;
    const [firstAtMs, lastAtMs] = [ordered[0]?.tradedAtMs ?? 0, ordered.at(-1)?.tradedAtMs ?? 0];
    positions.set(outcomeId, {
      outcomeId,
      marketId: outcome.marketId,
      isExcluded,
      state,
      settledMicro: settled,
      firstAtMs,
      lastAtMs,
    });
  }
  for (const { day, rebatesMicro, rewardsMicro } of receipts) {
    const sums = sumsOf(day);
    sums.rebates += rebatesMicro;
    sums.rewards += rewardsMicro;
  }
  return { positions, totals: totalsOf([...positions.values()], receipts, days), days: daysOf(days), changedRealized };
}

/** The values in the order of COLUMNS. */
function positionValues({
  outcomeId,
  marketId,
  state,
  settledMicro: settled,
  firstAtMs,
  lastAtMs,
}: FoldedPosition): RowValues {
  return [
    outcomeId,
    marketId,
    state.sharesMicro,
    state.costMicro,
    state.realizedMicro,
    settled,
    state.boughtSharesMicro,
    state.boughtUsdMicro,
    state.soldSharesMicro,
    state.soldUsdMicro,
    state.feesMicro,
    state.unmatchedSharesMicro,
    state.unmatchedUsdMicro,
    state.entryCount,
    firstAtMs,
    lastAtMs,
  ];
}

function totalsOf(positions: readonly FoldedPosition[], receipts: readonly Receipts[], days: Days): RowValues | null {
  const spans = [...positions, ...receipts];
  if (spans.length === 0) return null;
  const sums = noSums();
  for (const day of days.values()) {
    for (const name of AMOUNTS) sums[name] += day[name];
    sums.entries += day.entries;
  }
  // Not Math.min(...): a trader can have more positions than a call accepts arguments.
  const firstAtMs = spans.reduce((first, span) => Math.min(first, span.firstAtMs), Infinity);
  // Rebates and rewards are no activity of the trader's own.
  const lastAtMs = positions.reduce<number | null>((last, span) => Math.max(last ?? 0, span.lastAtMs), null);
  const { traded, resolved, won, decided, combinations } = countMarkets(positions);
  const unmatched = positions.filter(({ isExcluded, state }) => !isExcluded && state.unmatchedSharesMicro > 0n);
  const unmatchedUsd = unmatched.reduce((sum, { state }) => sum + state.unmatchedUsdMicro, 0n);
  const combined = positions.filter(({ isExcluded }) => isExcluded);
  const combinedUsd = combined.reduce((sum, { state }) => sum + state.boughtUsdMicro + state.soldUsdMicro, 0n);
  const counts = [traded, resolved, won, decided, unmatched.length, unmatchedUsd, combinations, combinedUsd];
  return [...valuesOf(sums), firstAtMs, lastAtMs, ...counts];
}

/** Days whose sums are all zero have no row. */
function daysOf(days: Days): ReadonlyMap<string, RowValues> {
  const nonZero = [...days].filter(([, sums]) => sums.entries !== 0 || AMOUNTS.some((name) => sums[name] !== 0n));
  return new Map(
    nonZero.map(([day, sums]) => {
      const date = new Date(day * DAY_MS).toISOString().slice(0, 10);
      return [date, [date, ...valuesOf(sums)]];
    }),
  );
}

const valuesOf = (sums: Sums) => [...AMOUNTS.map((name) => sums[name]), sums.entries];

const utcDay = (ms: number): number => Math.floor(ms / DAY_MS);
