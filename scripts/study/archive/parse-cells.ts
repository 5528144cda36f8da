import type { Cell, TableRow } from "./read-tables.ts";

/** A fill with the names of its file. Hand-written checks instead of a schema: an archive has a hundred million rows. */
export interface ArchivedFill {
  /** Epoch seconds. */
  readonly at: number;
  readonly wallet: string;
  readonly conditionId: string;
  /** Null where only the token is stated. */
  readonly outcomeIndex: number | null;
  readonly tokenId: string | null;
  readonly side: "BUY" | "SELL";
  /** Whether the row says so; false where it states no role. */
  readonly isMaker: boolean;
  readonly price: number;
  readonly shares: number;
}

/** The columns of fills that are read where a table has them. */
export const FILL_COLUMNS = [
  ...["traded_at", "timestamp", "wallet", "condition_id", "outcome_index", "token_id", "side", "role"],
  ...["price", "shares", "shares_micro", "usd", "usd_micro"],
] as const;

/** @returns null for a row without time, wallet, market or side, or whose price or size is missing or out of range */
export function parseFill(row: TableRow): ArchivedFill | null {
  const at = toSeconds(row["traded_at"] ?? row["timestamp"]);
  const wallet = toText(row["wallet"]);
  const conditionId = toText(row["condition_id"]);
  const side = toText(row["side"])?.toUpperCase();
  const usd = toMicro(row["usd"], row["usd_micro"]);
  const stated = toMicro(row["shares"], row["shares_micro"]);
  const price = toNumber(row["price"]) ?? (usd !== null && stated !== null ? usd / stated : null);
  const shares = stated ?? (usd !== null && price !== null ? usd / price : null);
  if (at === null || wallet === null || conditionId === null || price === null || shares === null) return null;
  if ((side !== "BUY" && side !== "SELL") || !(price >= 0 && price <= 1) || !(shares > 0 && shares < Infinity))
    return null;
  const outcomeIndex = toNumber(row["outcome_index"]);
  return {
    ...{ at, wallet: wallet.toLowerCase(), conditionId: conditionId.toLowerCase(), outcomeIndex },
    ...{
      tokenId: toText(row["token_id"]),
      side,
      isMaker: toText(row["role"])?.toLowerCase() === "maker",
      price,
      shares,
    },
  };
}

const toMicro = (whole: Cell, micro: Cell): number | null => {
  const millionths = toNumber(micro);
  return millionths === null ? toNumber(whole) : millionths / 1e6;
};

export function toText(cell: Cell): string | null {
  if (typeof cell === "bigint") return String(cell);
  return typeof cell === "string" && cell !== "" ? cell : null;
}

export function toNumber(cell: Cell): number | null {
  if (cell === "" || cell === null || cell === undefined) return null;
  const number = typeof cell === "string" || typeof cell === "bigint" ? Number(cell) : cell;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

/** Epoch seconds from a date, from epoch seconds, or from an instant of ISO 8601. */
export function toSeconds(cell: Cell): number | null {
  const number = cell instanceof Date ? cell.getTime() / 1000 : toNumber(cell);
  if (number !== null) return number;
  const ms = typeof cell === "string" ? Date.parse(cell) : Number.NaN;
  return Number.isNaN(ms) ? null : ms / 1000;
}

/** Payouts of both outcomes, 0 to 1, from millionths as a list or as its JSON; null where there is none. */
export function toPayouts(cell: Cell): readonly [number, number] | null {
  const list: unknown = typeof cell === "string" && cell.startsWith("[") ? JSON.parse(cell) : cell;
  if (!Array.isArray(list) || list.length !== 2) return null;
  const [first, second] = list.map((one) => toNumber(one));
  return typeof first === "number" && typeof second === "number" ? [first / 1e6, second / 1e6] : null;
}
