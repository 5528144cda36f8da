import { compareMovements, type Ordered } from "../../src/scoring/movement-order.ts";
import { applyMovement, EMPTY_POSITION, settledMicro, type Movement } from "../../src/scoring/position.ts";
import type { Figures, WalletFigures } from "./figures.ts";

/** A ledger entry with what is stored as its result. */
export interface RecordedEntry extends Movement, Ordered {
  readonly id: string;
  readonly outcomeId: string;
  readonly kind: Movement["kind"];
  readonly sharesMicro: bigint;
  readonly realizedMicro: bigint | null;
}

/** What an outcome pays, in millionths a share, and the day that counts on; both null while its market is unresolved. */
export interface OutcomeFacts {
  readonly marketId: string;
  readonly payoutPpm: number | null;
  readonly settledOn: string | null;
}

/** Rebates and rewards of one day. */
export interface Receipts {
  readonly day: string;
  readonly rebatesMicro: bigint;
  readonly rewardsMicro: bigint;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
}

export interface WalletFacts {
  readonly traderId: string;
  readonly entries: readonly RecordedEntry[];
  readonly receipts: readonly Receipts[];
}

export interface FoldedWallet {
  readonly figures: WalletFigures;
  /** What the entries realize, where something else is stored. */
  readonly changedRealized: readonly { entry: RecordedEntry; realizedMicro: bigint | null }[];
}

const AMOUNTS = ["realized", "settled", "fees", "rebates", "rewards", "volume"] as const;

type Sums = Record<(typeof AMOUNTS)[number], bigint> & { entries: number };

const noSums = (): Sums => ({ realized: 0n, settled: 0n, fees: 0n, rebates: 0n, rewards: 0n, volume: 0n, entries: 0 });

/**
 * Everything that is kept of a wallet by differences, folded from nothing: its positions entry by entry, and sums by day and over all.
 * It shares the rules of `src/scoring` with the ledger's writer and none of its bookkeeping, so that each can be held against the other.
 */
export function foldWallet({ traderId, entries, receipts }: WalletFacts, outcomes: ReadonlyMap<string, OutcomeFacts>): FoldedWallet {
  const positions = new Map<string, Figures>();
  const changedRealized: { entry: RecordedEntry; realizedMicro: bigint | null }[] = [];
  const days = new Map<string, Sums>();
  const day = (name: string): Sums => {
    const sums = days.get(name) ?? noSums();
    days.set(name, sums);
    return sums;
  };

  for (const [outcomeId, ofOutcome] of Map.groupBy(entries, (entry) => entry.outcomeId)) {
    let state = EMPTY_POSITION;
    for (const entry of ofOutcome.toSorted(compareMovements)) {
      const applied = applyMovement(state, entry);
      state = applied.state;
      if (applied.realizedMicro !== entry.realizedMicro) changedRealized.push({ entry, realizedMicro: applied.realizedMicro });
      const sums = day(utcDate(entry.tradedAtMs));
      sums.entries += 1;
      sums.realized += applied.realizedMicro ?? 0n;
      sums.fees += entry.feeMicro ?? 0n;
      if (entry.kind === "buy" || entry.kind === "sell") sums.volume += entry.usdMicro;
    }
    const outcome = outcomes.get(outcomeId);
    if (outcome === undefined) throw new Error(`entries name outcome ${outcomeId}, which is no row`);
    const settled = outcome.payoutPpm === null ? null : settledMicro(state, outcome.payoutPpm);
    // A market with payouts and no day is told as such where markets are looked at.
    if (settled !== null && outcome.settledOn !== null) day(outcome.settledOn).settled += settled;
    const times = ofOutcome.map((entry) => entry.tradedAtMs);
    positions.set(outcomeId, {
      trader_id: traderId,
      outcome_id: outcomeId,
      market_id: outcome.marketId,
      shares_micro: String(state.sharesMicro),
      cost_micro: String(state.costMicro),
      realized_micro: String(state.realizedMicro),
      settled_micro: settled === null ? null : String(settled),
      bought_shares_micro: String(state.boughtSharesMicro),
      bought_usd_micro: String(state.boughtUsdMicro),
      sold_shares_micro: String(state.soldSharesMicro),
      sold_usd_micro: String(state.soldUsdMicro),
      fees_micro: String(state.feesMicro),
      unmatched_shares_micro: String(state.unmatchedSharesMicro),
      entry_count: String(state.entryCount),
      first_at: iso(earliest(times)),
      last_at: iso(latest(times)),
    });
  }
  for (const { day: name, rebatesMicro, rewardsMicro } of receipts) {
    const sums = day(name);
    sums.rebates += rebatesMicro;
    sums.rewards += rewardsMicro;
  }
  const figures = { positions, trader_totals: totalsOf(traderId, entries, receipts, days), trader_days: daysOf(traderId, days) };
  return { figures, changedRealized };
}

function totalsOf(
  traderId: string,
  entries: readonly RecordedEntry[],
  receipts: readonly Receipts[],
  days: ReadonlyMap<string, Sums>,
): ReadonlyMap<string, Figures> {
  if (entries.length === 0 && receipts.length === 0) return new Map();
  const sums = noSums();
  for (const day of days.values()) {
    for (const name of AMOUNTS) sums[name] += day[name];
    sums.entries += day.entries;
  }
  const first = Math.min(earliest(entries.map((entry) => entry.tradedAtMs)), ...receipts.map(({ firstAtMs }) => firstAtMs));
  const last = Math.max(latest(entries.map((entry) => entry.tradedAtMs)), ...receipts.map(({ lastAtMs }) => lastAtMs));
  return new Map([["", { trader_id: traderId, ...columnsOf(sums), first_at: iso(first), last_at: iso(last) }]]);
}

/** Days on which everything comes to nothing have no row. */
function daysOf(traderId: string, days: ReadonlyMap<string, Sums>): ReadonlyMap<string, Figures> {
  const told = [...days].filter(([, sums]) => sums.entries !== 0 || AMOUNTS.some((name) => sums[name] !== 0n));
  return new Map(told.map(([day, sums]) => [day, { trader_id: traderId, day, ...columnsOf(sums) }]));
}

function columnsOf(sums: Sums): Figures {
  return { ...Object.fromEntries(AMOUNTS.map((name) => [`${name}_micro`, String(sums[name])])), entry_count: String(sums.entries) };
}

// A wallet may have more entries than a call takes arguments.
const earliest = (times: readonly number[]): number => times.reduce((a, b) => Math.min(a, b), Infinity);
const latest = (times: readonly number[]): number => times.reduce((a, b) => Math.max(a, b), -Infinity);

const iso = (ms: number): string => new Date(ms).toISOString();
const utcDate = (ms: number): string => iso(ms).slice(0, 10);
