import type { LedgerEntryKind } from "../../src/scoring/position-fold.ts";
import { DAY_MS } from "../../src/scoring/utc-calendar.ts";
import { indexWords, type BinaryRow } from "./binary-row.ts";
import { COLUMNS, type FiguresTable, type RowValues } from "./figures.ts";
import {
  foldLedger,
  type FoldableEntry,
  type FoldedLedger,
  type FoldedPosition,
  type OutcomePayout,
  type Receipts,
} from "./fold-trader.ts";
import type { RangeRows } from "./range-rows.ts";

export interface CheckedRange {
  readonly traders: number;
  readonly entries: number;
  /** The traders whose stored figures are not the fold of their entries. */
  readonly differing: readonly string[];
}

/** Entries after which the session's socket is read again, so that Postgres can send the next range. */
const ENTRIES_AT_ONCE = 2_000;

/** Folds the entries of a range's traders and compares the results with their stored figures. */
export async function checkRange(rows: RangeRows): Promise<CheckedRange> {
  const check = new RangeCheck(rows);
  const differing: string[] = [];
  let entries = 0;
  let next = ENTRIES_AT_ONCE;
  const traderIds = check.traderIds();
  for (const traderId of traderIds) {
    if (!check.isEqual(traderId)) differing.push(String(traderId));
    entries += rows.entries.offsetsOf(traderId).length;
    if (entries < next) continue;
    next = entries + ENTRIES_AT_ONCE;
    await new Promise((resolve) => void setImmediate(resolve));
  }
  return { traders: traderIds.size, entries, differing };
}

class RangeCheck {
  readonly #rows: RangeRows;
  readonly #idTexts = new IdTexts();
  readonly #outcomes: ReadonlyMap<string, OutcomePayout>;
  readonly #entry: BinaryRow;
  readonly #receipts: BinaryRow;
  readonly #position: BinaryRow;
  readonly #totals: BinaryRow;
  readonly #day: BinaryRow;

  constructor(rows: RangeRows) {
    this.#rows = rows;
    this.#entry = rows.entries.reader();
    this.#receipts = rows.receipts.reader();
    this.#position = rows.stored.positions.reader();
    this.#totals = rows.stored.trader_totals.reader();
    this.#day = rows.stored.trader_days.reader();
    this.#outcomes = this.#readOutcomes();
  }

  /** All traders with a row of any kind. */
  traderIds(): ReadonlySet<number> {
    const { entries, receipts, stored } = this.#rows;
    const all = [entries, receipts, stored.positions, stored.trader_totals, stored.trader_days];
    return new Set(all.flatMap((rows) => [...rows.ids()]));
  }

  isEqual(traderId: number): boolean {
    const { entries, receipts } = this.#rows;
    const ledger = {
      traderId: String(traderId),
      entries: entries.offsetsOf(traderId).map((offset) => this.#readEntry(offset)),
      receipts: receipts.offsetsOf(traderId).map((offset) => this.#readReceipts(offset)),
    };
    const folded = foldLedger(ledger, this.#outcomes);
    return (
      folded.changedRealized.length === 0 &&
      this.#hasPositions(traderId, folded) &&
      this.#hasTotals(traderId, folded) &&
      this.#hasDays(traderId, folded)
    );
  }

  #readOutcomes(): Map<string, OutcomePayout> {
    const { outcomes } = this.#rows;
    const row = outcomes.reader();
    const offsets = [...outcomes.ids()].flatMap((id) => outcomes.offsetsOf(id));
    return new Map(
      offsets.map((offset) => {
        row.moveTo(offset);
        return [
          this.#idTexts.of(row.id()),
          {
            marketId: this.#idTexts.of(row.id()),
            isExcluded: row.boolean(),
            payoutPpm: row.intOrNull(),
            settledOn: row.intOrNull(),
          },
        ];
      }),
    );
  }

  #readEntry(offset: number): FoldableEntry {
    const row = this.#entry;
    row.moveTo(offset);
    row.id();
    return new CopiedEntry(row, this.#idTexts.of(row.id()));
  }

  #readReceipts(offset: number): Receipts {
    const row = this.#receipts;
    row.moveTo(offset);
    row.id();
    return { day: row.int(), rebatesMicro: row.bigint(), rewardsMicro: row.bigint(), firstAtMs: row.instant() };
  }

  #hasPositions(traderId: number, { positions }: FoldedLedger<unknown>): boolean {
    const row = this.#position;
    const offsets = this.#rows.stored.positions.offsetsOf(traderId);
    if (offsets.length !== positions.size) return false;
    for (const offset of offsets) {
      row.moveTo(offset);
      row.id();
      const position = positions.get(this.#idTexts.of(row.id()));
      if (position === undefined || !this.#isPosition(row, position)) return false;
    }
    return true;
  }

  /** Compares the columns after the outcome, in the order of COLUMNS. */
  #isPosition(row: BinaryRow, { marketId, state, settledMicro, firstAtMs, lastAtMs }: FoldedPosition): boolean {
    return (
      this.#idTexts.of(row.id()) === marketId &&
      row.bigintOrNull() === state.sharesMicro &&
      row.bigintOrNull() === state.costMicro &&
      row.bigintOrNull() === state.realizedMicro &&
      row.bigintOrNull() === settledMicro &&
      row.bigintOrNull() === state.boughtSharesMicro &&
      row.bigintOrNull() === state.boughtUsdMicro &&
      row.bigintOrNull() === state.soldSharesMicro &&
      row.bigintOrNull() === state.soldUsdMicro &&
      row.bigintOrNull() === state.feesMicro &&
      row.bigintOrNull() === state.unmatchedSharesMicro &&
      row.bigintOrNull() === state.unmatchedUsdMicro &&
      row.intOrNull() === state.entryCount &&
      row.instantOrNull() === firstAtMs &&
      row.instantOrNull() === lastAtMs
    );
  }

  #hasTotals(traderId: number, { totals }: FoldedLedger<unknown>): boolean {
    const [offset] = this.#rows.stored.trader_totals.offsetsOf(traderId);
    if (totals === null || offset === undefined) return totals === null && offset === undefined;
    this.#totals.moveTo(offset);
    this.#totals.id();
    return isRow(this.#totals, "trader_totals", totals);
  }

  #hasDays(traderId: number, { days }: FoldedLedger<unknown>): boolean {
    const offsets = this.#rows.stored.trader_days.offsetsOf(traderId);
    if (offsets.length !== days.size) return false;
    return offsets.every((offset) => {
      this.#day.moveTo(offset);
      this.#day.id();
      const day = new Date(this.#day.day() * DAY_MS).toISOString().slice(0, 10);
      const values = days.get(day);
      return values !== undefined && isRow(this.#day, "trader_days", values, 1);
    });
  }
}

/** Compares the columns from `first` on. */
function isRow(row: BinaryRow, table: FiguresTable, values: RowValues, first = 0): boolean {
  return COLUMNS[table].slice(first).every((column, index) => {
    const value = values[first + index];
    if (column.endsWith("_at")) return row.instantOrNull() === value;
    return (column.endsWith("_micro") ? row.bigintOrNull() : row.intOrNull()) === value;
  });
}

const KINDS = indexWords<LedgerEntryKind>(["buy", "sell", "split", "merge", "convert_in", "convert_out"]);

class CopiedEntry implements FoldableEntry {
  readonly outcomeId: string;
  readonly kind: LedgerEntryKind;
  readonly sharesMicro: bigint;
  readonly ordinal: number;
  readonly usdMicro: bigint;
  readonly feeMicro: bigint | null;
  readonly realizedMicro: bigint | null;
  readonly tradedAtMs: number;
  readonly #row: BinaryRow;
  readonly #hashAt: number;

  /** @param row at the column after the outcome */
  constructor(row: BinaryRow, outcomeId: string) {
    this.outcomeId = outcomeId;
    this.kind = row.word(KINDS);
    this.#hashAt = row.skip();
    this.sharesMicro = row.bigint();
    this.ordinal = row.smallint();
    this.usdMicro = row.bigint();
    this.feeMicro = row.bigintOrNull();
    this.realizedMicro = row.bigintOrNull();
    this.tradedAtMs = row.instant();
    this.#row = row;
  }

  /** As bytes, whose order is that of the hex digits; few entries need it. */
  get txHash(): string {
    return this.#row.bytesAt(this.#hashAt);
  }
}

/** Each id as the same text, because maps compare equal objects faster than equal texts. */
class IdTexts {
  readonly #texts = new Map<number, string>();

  of(id: number): string {
    let text = this.#texts.get(id);
    if (text === undefined) {
      text = String(id);
      this.#texts.set(id, text);
    }
    return text;
  }
}
