import type { DuckDBDataChunk } from "@duckdb/node-api";
import type { RecordedEntry } from "../../recompute/fold-trader.ts";
import type { TraderRange } from "../../recompute/read-traders.ts";
import type { DuckDb } from "../files/duckdb.ts";
import { PRICE_DECIMALS } from "../files/parse-fields.ts";

/** A fill of the archive. */
export interface StagedFill extends RecordedEntry {
  readonly isStaged: true;
  readonly marketId: string;
  readonly kind: "buy" | "sell";
  feeMicro: bigint | null;
  role: "taker" | null;
  /** A decimal without zeros at its end. */
  readonly price: string;
  /** Null until the fold: it adds shares, or nothing that it removed has a known basis. */
  realizedMicro: bigint | null;
}

/** The fills of the traders of a range, by file and row within a position. */
export interface StagedRange extends TraderRange {
  readonly traders: ReadonlyMap<string, readonly StagedFill[]>;
}

const COLUMNS = `trader_id, outcome_id, market_id, is_buy, tx_hash, shares_micro, ordinal, usd_micro, fee_micro,
  price_units, price_text, is_taker, traded_ms`;

/**
 * The staged fills of the traders above `after`, in ranges of about `fills` fills, from one sort of all fills. A trader is
 * never split.
 */
export async function* stagedRanges(duck: DuckDb, after: string, fills: number): AsyncGenerator<StagedRange> {
  const sorted = duck.chunks(
    `select ${COLUMNS} from staged where trader_id > ${BigInt(after)} order by trader_id, outcome_id, traded_ms, place`,
  );
  let traders = new Map<string, StagedFill[]>();
  let [rangeAfter, upTo, size] = [after, after, 0];
  for await (const chunk of sorted) {
    for (const [traderId, fill] of readFills(chunk)) {
      if (traderId !== upTo) {
        if (size >= fills) {
          yield { after: rangeAfter, upTo, traders };
          [traders, rangeAfter, size] = [new Map(), upTo, 0];
        }
        upTo = traderId;
      }
      const ofTrader = traders.get(traderId);
      if (ofTrader === undefined) traders.set(traderId, [fill]);
      else ofTrader.push(fill);
      size += 1;
    }
  }
  if (size > 0) yield { after: rangeAfter, upTo, traders };
}

/** The columns of the statement above, each of whose types is that of the table. */
function* readFills(chunk: DuckDBDataChunk): Generator<[string, StagedFill]> {
  const columns = Array.from({ length: chunk.columnCount }, (_, index) => chunk.getColumnVector(index));
  const value = <T>(column: number, row: number): T => columns[column]?.getItem(row) as T;
  // Rows of one position follow each other, and texts of ids cost more than comparisons.
  let [trader, outcome, market] = [-1n, -1n, -1n];
  let [traderId, outcomeId, marketId] = ["", "", ""];
  for (let row = 0; row < chunk.rowCount; row++) {
    const [rowTrader, rowOutcome, rowMarket] = [value<bigint>(0, row), value<bigint>(1, row), value<bigint>(2, row)];
    if (rowTrader !== trader) traderId = String((trader = rowTrader));
    if (rowOutcome !== outcome) outcomeId = String((outcome = rowOutcome));
    if (rowMarket !== market) marketId = String((market = rowMarket));
    const units = value<bigint | null>(9, row);
    yield [
      traderId,
      {
        isStaged: true,
        id: "",
        outcomeId,
        marketId,
        kind: value<boolean>(3, row) ? "buy" : "sell",
        txHash: value<string>(4, row),
        sharesMicro: value<bigint>(5, row),
        ordinal: value<number>(6, row),
        usdMicro: value<bigint>(7, row),
        feeMicro: value<bigint | null>(8, row),
        price: units === null ? value<string>(10, row) : priceText(Number(units)),
        role: value<boolean | null>(11, row) === true ? "taker" : null,
        tradedAtMs: Number(value<bigint>(12, row)),
        realizedMicro: null,
      },
    ];
  }
}

const ONE = 10 ** PRICE_DECIMALS;

/** Units of 1e-10 as a decimal. */
function priceText(units: number): string {
  const decimals = String(units % ONE)
    .padStart(PRICE_DECIMALS, "0")
    .replace(/0+$/, "");
  return `${Math.floor(units / ONE)}${decimals === "" ? "" : `.${decimals}`}`;
}
