import { FIRST_COMBINATION, walletOf } from "../../../support/ingest/provider/provider-trades.ts";
import type { ExpectedEntry, ExpectedPosition } from "./expected-positions.ts";
import type { Receipt } from "./trader-stories.ts";

export interface Settlement {
  readonly wallet: number;
  readonly settled: bigint;
  readonly atSeconds: number;
}

/**
 * An independent calculation of every trader's days: each amount is added to a column of its UTC day. Rows of
 * zeros are left out. The result of a combination is unknown, so it only contributes volume. Uses no product
 * code for the arithmetic.
 */
export function expectedDays(
  moves: readonly ExpectedEntry[],
  positions: readonly ExpectedPosition[],
  receipts: readonly Receipt[],
  settlements: readonly Settlement[],
) {
  const amounts: { wallet: number; atSeconds: number; column: string; amount: bigint }[] = [];
  const isOrdinary = ({ market }: { market: number }) => market < FIRST_COMBINATION;
  for (const { wallet, atSeconds, kind, usd, fee, market } of moves) {
    amounts.push({ wallet, atSeconds, column: "entry_count", amount: 1n });
    amounts.push({ wallet, atSeconds, column: "fees_micro", amount: isOrdinary({ market }) ? (fee ?? 0n) : 0n });
    if (kind === "buy" || kind === "sell") amounts.push({ wallet, atSeconds, column: "volume_micro", amount: usd });
  }
  for (const { wallet, sales } of positions.filter(isOrdinary)) {
    for (const { atSeconds, realized } of sales)
      amounts.push({ wallet, atSeconds, column: "realized_micro", amount: realized });
  }
  for (const { type, wallet, atSeconds, usd } of receipts) {
    amounts.push({ wallet, atSeconds, column: type === "YIELD" ? "rewards_micro" : "rebates_micro", amount: usd });
  }
  for (const { wallet, atSeconds, settled } of settlements)
    amounts.push({ wallet, atSeconds, column: "settled_micro", amount: settled });

  const days = Map.groupBy(
    amounts,
    ({ wallet, atSeconds }) => `${walletOf(wallet)} ${new Date(atSeconds * 1000).toISOString().slice(0, 10)}`,
  );
  return [...days]
    .filter(([, ofDay]) => COLUMNS.some((column) => sumOf(ofDay, column) !== 0n))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, ofDay]) => {
      const [address, day] = key.split(" ");
      const sums = COLUMNS.map((column) => [column, String(sumOf(ofDay, column))]);
      return { address, day, ...Object.fromEntries(sums), entry_count: Number(sumOf(ofDay, "entry_count")) };
    });
}

const COLUMNS = [
  "realized_micro",
  "settled_micro",
  "fees_micro",
  "rebates_micro",
  "rewards_micro",
  "volume_micro",
  "entry_count",
] as const;

const sumOf = (amounts: readonly { column: string; amount: bigint }[], requested: string): bigint =>
  amounts.reduce((sum, { column, amount }) => (column === requested ? sum + amount : sum), 0n);
