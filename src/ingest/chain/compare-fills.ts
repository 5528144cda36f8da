import type { ChainFill } from "../../platform/chain.ts";

/** Where a fill is on the chain. */
export type FillLog = Pick<ChainFill, "blockNumber" | "logIndex" | "ordersMatched">;

/** A fill as the ledger has it. */
export interface LedgerFill {
  readonly entryId: string;
  readonly txHash: string;
  readonly address: string;
  readonly tokenId: string;
  readonly side: "BUY" | "SELL";
  readonly sharesMicro: bigint;
  readonly usdMicro: bigint;
  /** Null while it is unknown. */
  readonly feeMicro: bigint | null;
  readonly isTaker: boolean;
  readonly tradedAtMs: number;
  /** Null while it is unknown. */
  readonly log: FillLog | null;
}

export type Difference =
  | { readonly kind: "missing_in_ledger"; readonly chain: ChainFill }
  | { readonly kind: "missing_on_chain"; readonly ledger: LedgerFill }
  | {
      readonly kind: "shares" | "usd" | "fee" | "role" | "time" | "log";
      readonly chain: ChainFill;
      readonly ledger: LedgerFill;
    };

export type DifferenceKind = Difference["kind"];

/** The fields that pair a fill of the chain with its entry. */
type PairedFields = Pick<ChainFill, "txHash" | "trader" | "tokenId" | "side" | "sharesMicro" | "usdMicro" | "isTaker">;

/** The fills of one transaction, trader, token and side. */
interface FillGroup<Fill> {
  /** With equal shares. */
  readonly pairs: readonly (readonly [chain: Fill, ledger: LedgerFill])[];
  readonly chain: readonly Fill[];
  readonly ledger: readonly LedgerFill[];
}

/**
 * Compares the fills of whole transactions. Fills of one transaction, trader, token and side are paired with
 * equal shares first; what remains differs in shares; what then remains on one side is missing on the other.
 * Equal fills count as often as they occur.
 */
export function compareFills(chain: readonly ChainFill[], ledger: readonly LedgerFill[]): Difference[] {
  return groupFills(chain, ledger).flatMap(compareGroup);
}

/** The fills with equal shares, each with its entry. The same fills and entries always give the same pairs. */
export const pairFills = <Fill extends PairedFields>(
  chain: readonly Fill[],
  ledger: readonly LedgerFill[],
): (readonly [chain: Fill, ledger: LedgerFill])[] => groupFills(chain, ledger).flatMap(({ pairs }) => pairs);

function groupFills<Fill extends PairedFields>(
  chain: readonly Fill[],
  ledger: readonly LedgerFill[],
): FillGroup<Fill>[] {
  const chainGroups = Map.groupBy(chain, (fill) => groupOf(fill, fill.trader));
  const ledgerGroups = Map.groupBy(ledger, (fill) => groupOf(fill, fill.address));
  const groups = new Set([...chainGroups.keys(), ...ledgerGroups.keys()]);
  return [...groups].map((group) => pairGroup(chainGroups.get(group) ?? [], ledgerGroups.get(group) ?? []));
}

const groupOf = ({ txHash, tokenId, side }: Pick<ChainFill, "txHash" | "tokenId" | "side">, trader: string): string =>
  `${txHash} ${trader} ${tokenId} ${side}`;

function pairGroup<Fill extends PairedFields>(chain: readonly Fill[], ledger: readonly LedgerFill[]): FillGroup<Fill> {
  const unpaired = ledger.toSorted(byAmount);
  const pairs: (readonly [Fill, LedgerFill])[] = [];
  const withoutEqual: Fill[] = [];
  for (const fill of chain.toSorted(byAmount)) {
    const place = unpaired.findIndex(({ sharesMicro }) => sharesMicro === fill.sharesMicro);
    const [entry] = place === -1 ? [] : unpaired.splice(place, 1);
    if (entry === undefined) withoutEqual.push(fill);
    else pairs.push([fill, entry]);
  }
  return { pairs, chain: withoutEqual, ledger: unpaired };
}

function compareGroup({ pairs, chain, ledger }: FillGroup<ChainFill>): Difference[] {
  const unpaired = [...ledger];
  const found = pairs.flatMap(([fill, entry]) => comparePair(fill, entry));
  for (const fill of chain) {
    const entry = unpaired.shift();
    if (entry === undefined) found.push({ kind: "missing_in_ledger", chain: fill });
    else found.push({ kind: "shares", chain: fill, ledger: entry });
  }
  return [...found, ...unpaired.map((entry): Difference => ({ kind: "missing_on_chain", ledger: entry }))];
}

type Amount = Pick<ChainFill, "sharesMicro" | "usdMicro" | "isTaker">;

function byAmount(a: Amount, b: Amount): number {
  if (a.sharesMicro !== b.sharesMicro) return a.sharesMicro < b.sharesMicro ? -1 : 1;
  if (a.usdMicro !== b.usdMicro) return a.usdMicro < b.usdMicro ? -1 : 1;
  return Number(a.isTaker) - Number(b.isTaker);
}

function comparePair(chain: ChainFill, ledger: LedgerFill): Difference[] {
  const rounding = priceRounding(chain.sharesMicro);
  const kinds: ("usd" | "fee" | "role" | "time" | "log")[] = [];
  if (distance(chain.usdMicro, ledger.usdMicro) > rounding) kinds.push("usd");
  // A null fee is unknown, on either side.
  if (chain.feeMicro !== null && ledger.feeMicro !== null && distance(chain.feeMicro, ledger.feeMicro) > rounding)
    kinds.push("fee");
  if (ledger.isTaker !== chain.isTaker) kinds.push("role");
  if (chain.tradedAtMs !== ledger.tradedAtMs) kinds.push("time");
  if (ledger.log !== null && !isSameLog(chain, ledger.log)) kinds.push("log");
  return kinds.map((kind) => ({ kind, chain, ledger }));
}

/**
 * The provider publishes shares and a price of ten decimals, and the ledger's dollars are their product: half
 * a unit of the last decimal per share, and one millionth for the rounding of the product.
 */
const priceRounding = (sharesMicro: bigint): bigint => sharesMicro / 20_000_000_000n + 1n;

const distance = (a: bigint, b: bigint): bigint => (a < b ? b - a : a - b);

/** An unknown `OrdersMatched` event, on either side, is no difference. */
function isSameLog(chain: FillLog, ledger: FillLog): boolean {
  const [onChain, inLedger] = [chain.ordersMatched, ledger.ordersMatched];
  return (
    chain.blockNumber === ledger.blockNumber &&
    chain.logIndex === ledger.logIndex &&
    (onChain === null ||
      inLedger === null ||
      (onChain.logIndex === inLedger.logIndex && onChain.exchange === inLedger.exchange))
  );
}
