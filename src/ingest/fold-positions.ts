import { compareMovements } from "../scoring/movement-order.ts";
import { applyMovement, EMPTY_POSITION, settledMicro, type PositionState } from "../scoring/position.ts";
import { positionKey, type Entry, type PositionKey } from "./entry.ts";
import type { LoadedPosition, RecordedEntry } from "./load-positions.ts";

export interface FoldedPosition {
  readonly key: PositionKey;
  readonly state: PositionState;
  readonly settledMicro: bigint | null;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
}

/** What one wallet's totals change by. */
export interface TotalsChange {
  readonly traderId: number;
  realizedMicro: bigint;
  settledMicro: bigint;
  volumeMicro: bigint;
  feesMicro: bigint;
  entryCount: number;
  firstAtMs: number;
  lastAtMs: number;
}

export interface FoldedPage {
  readonly positions: FoldedPosition[];
  readonly freshRealized: { entry: Entry; realizedMicro: bigint | null }[];
  /** Recorded entries that now realize another amount than before. */
  readonly changedRealized: { id: string; realizedMicro: bigint | null }[];
  readonly totals: TotalsChange[];
}

/** Folds a page's new entries into the positions they touch. Pure: what is written follows from what was read. */
export function foldPositions(loaded: readonly LoadedPosition[], fresh: readonly Entry[]): FoldedPage {
  const freshByPosition = new Map<string, Entry[]>();
  for (const entry of fresh) {
    const key = positionKey(entry);
    const entries = freshByPosition.get(key);
    if (entries === undefined) freshByPosition.set(key, [entry]);
    else entries.push(entry);
  }
  const page: FoldedPage = { positions: [], freshRealized: [], changedRealized: [], totals: [] };
  const totals = new Map<number, TotalsChange>();
  for (const position of loaded) {
    const folded = foldOne(position, freshByPosition.get(positionKey(position.key)) ?? [], page);
    page.positions.push(folded);
    addToTotals(totals, position, folded);
  }
  page.totals.push(...totals.values());
  return page;
}

function foldOne(position: LoadedPosition, fresh: readonly Entry[], page: FoldedPage): FoldedPosition {
  let state = position.recorded === null ? position.state : EMPTY_POSITION;
  const entries: (Entry | RecordedEntry)[] = [...(position.recorded ?? []), ...fresh].sort(compareMovements);
  for (const entry of entries) {
    const applied = applyMovement(state, entry);
    state = applied.state;
    if (!("id" in entry)) page.freshRealized.push({ entry, realizedMicro: applied.realizedMicro });
    else if (entry.realizedMicro !== applied.realizedMicro) {
      page.changedRealized.push({ id: entry.id, realizedMicro: applied.realizedMicro });
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

function addToTotals(totals: Map<number, TotalsChange>, before: LoadedPosition, after: FoldedPosition): void {
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
  };
  change.realizedMicro += after.state.realizedMicro - before.state.realizedMicro;
  change.settledMicro += (after.settledMicro ?? 0n) - (before.settledMicro ?? 0n);
  change.volumeMicro += volume(after.state) - volume(before.state);
  change.feesMicro += after.state.feesMicro - before.state.feesMicro;
  change.entryCount += after.state.entryCount - before.state.entryCount;
  change.firstAtMs = Math.min(change.firstAtMs, after.firstAtMs);
  change.lastAtMs = Math.max(change.lastAtMs, after.lastAtMs);
  totals.set(traderId, change);
}

const volume = (state: PositionState) => state.boughtUsdMicro + state.soldUsdMicro;
