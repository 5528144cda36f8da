/** One recorded trade, in the provider's current units. */
export interface RecordedTrade {
  readonly wallet: string;
  readonly tokenId: string;
  readonly side: "BUY" | "SELL";
  /** Shares. */
  readonly size: number;
  readonly price: number;
  /** Null when the file has no amount. */
  readonly usdcSize: number | null;
  /** Epoch seconds. */
  readonly timestamp: number;
  /** Null when the file has no transaction. */
  readonly transactionHash: string | null;
  readonly role: "taker" | null;
  /** The source line; missing ids are derived from it. */
  readonly line: string;
}

/** Equal trades of one file, with their real multiplicity. */
export type TradeGroup = readonly RecordedTrade[];

/**
 * The trades of one file, grouped by identity.
 *
 * - `fill`: single fills with transaction, token and size
 * - `order`: one row may stand for several fills of its transaction
 * - `loose`: fills without transaction
 */
export interface TradeFile {
  readonly grain: "fill" | "order" | "loose";
  readonly groups: readonly TradeGroup[];
}

const SHARES_SCALE = 1e6;

/** The identity of a trade across files, without the transaction. */
export const looseIdentity = (trade: RecordedTrade): string =>
  [trade.wallet, trade.tokenId, trade.side, Math.round(trade.size * SHARES_SCALE), trade.timestamp].join(" ");

export const identityOf = (trade: RecordedTrade): string => `${trade.transactionHash} ${looseIdentity(trade)}`;

/**
 * Cuts a file of polled rows where its time order turns. Each piece is one walk over the provider's pages, so
 * a row that occurs again in a later piece was polled again.
 */
export function splitPolls<Row extends { readonly timestamp: number }>(
  rows: readonly Row[],
): readonly (readonly Row[])[] {
  const steps = rows.slice(1).map((row, index) => Math.sign(row.timestamp - (rows[index]?.timestamp ?? row.timestamp)));
  const newestFirst = steps.filter((step) => step < 0).length >= steps.filter((step) => step > 0).length;
  const polls: Row[][] = [[]];
  rows.forEach((row, index) => {
    const turned = index > 0 && steps[index - 1] === (newestFirst ? 1 : -1);
    if (turned) polls.push([]);
    polls.at(-1)?.push(row);
  });
  return polls;
}

/**
 * Groups rows of equal key. Repeats inside one piece are real (one transaction can have equal fills); across
 * pieces the largest count is used.
 */
export function groupAcross<Row>(
  pieces: readonly (readonly Row[])[],
  keyOf: (row: Row) => string,
): readonly (readonly Row[])[] {
  const largest = new Map<string, readonly Row[]>();
  for (const piece of pieces) {
    for (const [key, group] of Map.groupBy(piece, keyOf))
      if (group.length > (largest.get(key)?.length ?? 0)) largest.set(key, group);
  }
  return [...largest.values()];
}

/**
 * Removes the fan-out of an indexer's extract: when every row of a wallet's token occurs k times, a join
 * multiplied the rows, and the trades are one k-th of them. A repeat beyond the token's common factor is
 * real: equal fills of one transaction.
 */
export function withoutFanOut(rows: readonly RecordedTrade[]): readonly RecordedTrade[] {
  const equal = groupAcross([rows], (row) => `${row.transactionHash ?? ""} ${looseIdentity(row)} ${row.price}`);
  const factors = new Map<string, number>();
  const tokenOf = (group: TradeGroup) => `${group[0]?.wallet} ${group[0]?.tokenId}`;
  for (const group of equal)
    factors.set(tokenOf(group), greatestCommonDivisor(factors.get(tokenOf(group)) ?? 0, group.length));
  return equal.flatMap((group) => group.slice(0, group.length / (factors.get(tokenOf(group)) ?? 1)));
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
