import { compareLedgerEntries } from "../../scoring/ledger-entry-order.ts";
import { applyEntry, EMPTY_POSITION, settledMicro, type PositionState } from "../../scoring/position-fold.ts";
import { DayChanges, utcDay, type DayChange } from "./day-changes.ts";
import { positionKey, type LedgerEntry, type PositionKey } from "./ledger-entry.ts";
import type { LoadedPosition, RecordedEntry } from "./load-positions.ts";
import { countMarket, type MarketPositionSums } from "./market-counts.ts";

export interface FoldedPosition {
  readonly key: PositionKey;
  readonly state: PositionState;
  readonly settledMicro: bigint | null;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
}

/** The change of one trader's totals. Amounts are micro-dollars. */
export interface TotalsChange {
  readonly traderId: number;
  realizedMicro: bigint;
  settledMicro: bigint;
  volumeMicro: bigint;
  feesMicro: bigint;
  entryCount: number;
  firstAtMs: number;
  lastAtMs: number;
  marketsTraded: number;
  marketsResolved: number;
  marketsWon: number;
  marketsDecided: number;
  unmatchedPositions: number;
  unmatchedUsdMicro: bigint;
  combinationMarkets: number;
  combinationVolumeMicro: bigint;
}

/** A fee that was added to a recorded entry. Loaded entries already include it. */
export interface FeeUpdate {
  readonly key: PositionKey;
  readonly tradedAtMs: number;
  readonly feeMicro: bigint;
}

export interface FoldedPage {
  readonly positions: readonly FoldedPosition[];
  readonly freshRealized: readonly { entry: LedgerEntry; realizedMicro: bigint | null }[];
  /** Recorded entries whose realized amount has changed. */
  readonly changedRealized: readonly { id: string; realizedMicro: bigint | null }[];
  readonly totals: readonly TotalsChange[];
  readonly days: readonly DayChange[];
}

/** Accumulates the results while positions are folded one by one. */
interface Tally {
  readonly freshRealized: { entry: LedgerEntry; realizedMicro: bigint | null }[];
  readonly changedRealized: { id: string; realizedMicro: bigint | null }[];
  readonly totals: Map<number, TotalsChange>;
  /**
   * The current sums of a trader's positions in a market, including positions that this page does not touch.
   */
  readonly marketSums: Map<string, MarketPositionSums>;
  readonly days: DayChanges;
}

/**
 * Folds a page's new entries into the positions they touch. Pure: the result depends only on the arguments.
 */
export function foldPositions(
  loaded: readonly LoadedPosition[],
  fresh: readonly LedgerEntry[],
  learned: readonly FeeUpdate[],
): FoldedPage {
  const freshByPosition = new Map<string, LedgerEntry[]>();
  for (const entry of fresh) {
    const key = positionKey(entry);
    const entries = freshByPosition.get(key);
    if (entries === undefined) freshByPosition.set(key, [entry]);
    else entries.push(entry);
  }
  const tally: Tally = {
    freshRealized: [],
    changedRealized: [],
    totals: new Map(),
    marketSums: new Map(),
    days: new DayChanges(),
  };
  const excluded = new Set(loaded.flatMap(({ key, isExcluded }) => (isExcluded ? positionKey(key) : [])));
  for (const { key, tradedAtMs, feeMicro } of learned) {
    if (!excluded.has(positionKey(key))) tally.days.add(key.traderId, utcDay(tradedAtMs), { feesMicro: feeMicro });
  }
  const positions = loaded.map((position) => {
    const folded = foldOne(position, freshByPosition.get(positionKey(position.key)) ?? [], tally);
    addToTotals(tally, position, folded);
    addSettlement(tally.days, position, folded);
    return folded;
  });
  const { freshRealized, changedRealized, totals, days } = tally;
  return { positions, freshRealized, changedRealized, totals: [...totals.values()], days: days.list() };
}

function foldOne(position: LoadedPosition, fresh: readonly LedgerEntry[], tally: Tally): FoldedPosition {
  let state = position.recorded === null ? position.state : EMPTY_POSITION;
  const entries: (LedgerEntry | RecordedEntry)[] = [...(position.recorded ?? []), ...fresh].sort(compareLedgerEntries);
  for (const entry of entries) {
    const applied = applyEntry(state, entry);
    state = applied.state;
    const { realizedMicro } = applied;
    if (!("id" in entry)) {
      tally.freshRealized.push({ entry, realizedMicro });
      addFresh(
        tally.days,
        entry,
        position.isExcluded ? null : { realizedMicro: realizedMicro ?? 0n, feesMicro: entry.feeMicro ?? 0n },
      );
    } else if (entry.realizedMicro !== realizedMicro) {
      tally.changedRealized.push({ id: entry.id, realizedMicro });
      if (position.isExcluded) continue;
      const differenceMicro = (realizedMicro ?? 0n) - (entry.realizedMicro ?? 0n);
      tally.days.add(entry.traderId, utcDay(entry.tradedAtMs), { realizedMicro: differenceMicro });
    }
  }
  const times = entries.map((entry) => entry.tradedAtMs);
  const first = times[0] ?? position.firstAtMs ?? 0;
  const last = times.at(-1) ?? position.lastAtMs ?? 0;
  return {
    key: position.key,
    state,
    settledMicro: position.payoutPpm === null ? null : settledMicro(state, position.payoutPpm),
    firstAtMs: position.firstAtMs === null ? first : Math.min(position.firstAtMs, first),
    lastAtMs: position.lastAtMs === null ? last : Math.max(position.lastAtMs, last),
  };
}

/**
 * @param result the entry's realized result and fees; null in an unknown combination, where nothing counts as
 *   profit or loss
 */
function addFresh(
  days: DayChanges,
  entry: LedgerEntry,
  result: { realizedMicro: bigint; feesMicro: bigint } | null,
): void {
  days.add(entry.traderId, utcDay(entry.tradedAtMs), {
    ...result,
    volumeMicro: entry.kind === "buy" || entry.kind === "sell" ? entry.usdMicro : 0n,
    entryCount: 1,
  });
}

/** The payout of a resolved market counts on its settlement day, also when the shares become known later. */
function addSettlement(days: DayChanges, before: LoadedPosition, after: FoldedPosition): void {
  const differenceMicro = (after.settledMicro ?? 0n) - (before.settledMicro ?? 0n);
  if (differenceMicro === 0n) return;
  if (before.settledOn === null) throw new Error(`market ${before.key.marketId} has payouts but no settlement day`);
  days.add(before.key.traderId, before.settledOn, { settledMicro: differenceMicro });
}

function addToTotals({ totals, marketSums }: Tally, before: LoadedPosition, after: FoldedPosition): void {
  const { traderId } = before.key;
  const change = totals.get(traderId) ?? {
    traderId,
    realizedMicro: 0n,
    settledMicro: 0n,
    volumeMicro: 0n,
    feesMicro: 0n,
    entryCount: 0,
    firstAtMs: Infinity,
    lastAtMs: -Infinity,
    marketsTraded: 0,
    marketsResolved: 0,
    marketsWon: 0,
    marketsDecided: 0,
    unmatchedPositions: 0,
    unmatchedUsdMicro: 0n,
    combinationMarkets: 0,
    combinationVolumeMicro: 0n,
  };
  const volumeMicro = volume(after.state) - volume(before.state);
  change.volumeMicro += volumeMicro;
  if (before.isExcluded) change.combinationVolumeMicro += volumeMicro;
  else addResults(change, before, after);
  change.entryCount += after.state.entryCount - before.state.entryCount;
  change.firstAtMs = Math.min(change.firstAtMs, after.firstAtMs);
  change.lastAtMs = Math.max(change.lastAtMs, after.lastAtMs);
  addMarket(change, marketSums, before, after);
  totals.set(traderId, change);
}

/**
 * Adds a position in a known market to its trader's profit and to its unmatched amounts, which have no
 * booked profit.
 */
function addResults(change: TotalsChange, before: LoadedPosition, after: FoldedPosition): void {
  change.realizedMicro += after.state.realizedMicro - before.state.realizedMicro;
  change.settledMicro += (after.settledMicro ?? 0n) - (before.settledMicro ?? 0n);
  change.feesMicro += after.state.feesMicro - before.state.feesMicro;
  change.unmatchedPositions += unmatched(after.state) - unmatched(before.state);
  change.unmatchedUsdMicro += after.state.unmatchedUsdMicro - before.state.unmatchedUsdMicro;
}

/**
 * Updates the market counts position by position. If several outcomes of a market change, the steps add up to
 * its whole change.
 */
function addMarket(
  change: TotalsChange,
  marketSums: Map<string, MarketPositionSums>,
  before: LoadedPosition,
  after: FoldedPosition,
): void {
  const market = `${before.key.traderId}:${before.key.marketId}`;
  const previous = marketSums.get(market) ?? before.marketSums;
  const isNew = before.firstAtMs === null;
  const current = {
    positions: previous.positions + Number(isNew),
    unsettled:
      previous.unsettled + Number(after.settledMicro === null) - Number(!isNew && before.settledMicro === null),
    unmatched: previous.unmatched + unmatched(after.state) - unmatched(before.state),
    resultMicro: previous.resultMicro + result(after) - result(before),
  };
  marketSums.set(market, current);
  const [countedBefore, counted] = [countMarket(previous), countMarket(current)];
  change.marketsTraded += counted.traded - countedBefore.traded;
  if (before.isExcluded) change.combinationMarkets += counted.traded - countedBefore.traded;
  change.marketsResolved += counted.resolved - countedBefore.resolved;
  change.marketsWon += counted.won - countedBefore.won;
  change.marketsDecided += counted.decided - countedBefore.decided;
}

const result = ({ state, settledMicro: settled }: Pick<FoldedPosition, "state" | "settledMicro">): bigint =>
  state.realizedMicro + (settled ?? 0n) - state.feesMicro;

/** 1 for a position with unmatched shares, else 0. */
const unmatched = (state: PositionState): number => Number(state.unmatchedSharesMicro > 0n);

const volume = (state: PositionState) => state.boughtUsdMicro + state.soldUsdMicro;
