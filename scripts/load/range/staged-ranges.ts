import type { DuckDBDataChunk } from "@duckdb/node-api";
import type { RecordedEntry } from "../../recompute/fold-trader.ts";
import type { TraderRange } from "../../recompute/read-traders.ts";
import type { DuckDb } from "../files/duckdb.ts";
import { PRICE_DECIMALS } from "../files/parse-fields.ts";
import { TX_WORDS } from "../files/stage-file.ts";

/** A fill of the archive. */
export class StagedFill implements RecordedEntry {
  readonly isStaged = true;
  readonly id = "";
  /** Null until the fold: it adds shares, or nothing that it removed has a known basis. */
  realizedMicro: bigint | null = null;

  readonly traderId: string;
  readonly outcomeId: string;
  readonly marketId: string;
  readonly kind: "buy" | "sell";
  readonly txWords: readonly bigint[];
  readonly sharesMicro: bigint;
  readonly ordinal: number;
  readonly usdMicro: bigint;
  readonly feeMicro: bigint | null;
  /** A decimal without zeros at its end. */
  readonly price: string;
  readonly role: "taker" | null;
  readonly tradedAtMs: number;

  constructor(fields: Omit<StagedFill, "isStaged" | "id" | "realizedMicro" | "txHash">) {
    this.traderId = fields.traderId;
    this.outcomeId = fields.outcomeId;
    this.marketId = fields.marketId;
    this.kind = fields.kind;
    this.txWords = fields.txWords;
    this.sharesMicro = fields.sharesMicro;
    this.ordinal = fields.ordinal;
    this.usdMicro = fields.usdMicro;
    this.feeMicro = fields.feeMicro;
    this.price = fields.price;
    this.role = fields.role;
    this.tradedAtMs = fields.tradedAtMs;
  }

  /** In hex; few fills need it. */
  get txHash(): string {
    return this.txWords.map((word) => BigInt.asUintN(64, word).toString(16).padStart(16, "0")).join("");
  }
}

/** The fills of the traders of a range, by file and row within a position. */
export interface StagedRange extends TraderRange {
  readonly traders: ReadonlyMap<string, readonly StagedFill[]>;
}

const COLUMNS = `trader_id, outcome_id, market_id, is_buy, ${TX_WORDS.join(", ")}, shares_micro, ordinal, usd_micro, fee_micro,
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
    for (const fill of readFills(chunk)) {
      const { traderId } = fill;
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
function readFills(chunk: DuckDBDataChunk): StagedFill[] {
  const columns = Array.from({ length: chunk.columnCount }, (_, index) => chunk.getColumnVector(index));
  const value = <T>(column: number, row: number): T => columns[column]?.getItem(row) as T;
  // Rows of one position follow each other, and texts of ids cost more than comparisons.
  let [trader, outcome, market] = [-1n, -1n, -1n];
  let [traderId, outcomeId, marketId] = ["", "", ""];
  const fills: StagedFill[] = [];
  for (let row = 0, rows = chunk.rowCount; row < rows; row++) {
    const rowTrader = value<bigint>(0, row);
    if (rowTrader !== trader) traderId = String((trader = rowTrader));
    const rowOutcome = value<bigint>(1, row);
    if (rowOutcome !== outcome) outcomeId = String((outcome = rowOutcome));
    const rowMarket = value<bigint>(2, row);
    if (rowMarket !== market) marketId = String((market = rowMarket));
    const units = value<bigint | null>(12, row);
    fills.push(
      new StagedFill({
        traderId,
        outcomeId,
        marketId,
        kind: value<boolean>(3, row) ? "buy" : "sell",
        txWords: [value<bigint>(4, row), value<bigint>(5, row), value<bigint>(6, row), value<bigint>(7, row)],
        sharesMicro: value<bigint>(8, row),
        ordinal: value<number>(9, row),
        usdMicro: value<bigint>(10, row),
        feeMicro: value<bigint | null>(11, row),
        price: units === null ? value<string>(13, row) : priceText(Number(units)),
        role: value<boolean | null>(14, row) === true ? "taker" : null,
        tradedAtMs: Number(value<bigint>(15, row)),
      }),
    );
  }
  return fills;
}

const ONE = 10 ** PRICE_DECIMALS;

/** Prices repeat: a market has at most some thousand ticks. */
const priceTexts = new Map<number, string>();
const MAX_TEXTS = 20_000;

/** Units of 1e-10 as a decimal. */
function priceText(units: number): string {
  const known = priceTexts.get(units);
  if (known !== undefined) return known;
  const decimals = String(units % ONE)
    .padStart(PRICE_DECIMALS, "0")
    .replace(/0+$/, "");
  const text = `${Math.floor(units / ONE)}${decimals === "" ? "" : `.${decimals}`}`;
  if (priceTexts.size >= MAX_TEXTS) priceTexts.clear();
  priceTexts.set(units, text);
  return text;
}
