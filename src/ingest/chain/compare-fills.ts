import type { ChainFill } from "../../platform/chain.ts";

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
}

export type Difference =
  | { readonly kind: "missing_in_ledger"; readonly chain: ChainFill }
  | { readonly kind: "missing_on_chain"; readonly ledger: LedgerFill }
  | {
      readonly kind: "shares" | "usd" | "fee" | "role" | "time";
      readonly chain: ChainFill;
      readonly ledger: LedgerFill;
    };

export type DifferenceKind = Difference["kind"];

/**
 * Compares the fills of whole transactions. Fills of one transaction, trader, token and side are paired with
 * equal shares first; what remains differs in shares; what then remains on one side is missing on the other.
 * Equal fills count as often as they occur.
 */
export function compareFills(chain: readonly ChainFill[], ledger: readonly LedgerFill[]): Difference[] {
  const chainGroups = Map.groupBy(chain, (fill) => groupOf(fill, fill.trader));
  const ledgerGroups = Map.groupBy(ledger, (fill) => groupOf(fill, fill.address));
  const groups = new Set([...chainGroups.keys(), ...ledgerGroups.keys()]);
  return [...groups].flatMap((group) => compareGroup(chainGroups.get(group) ?? [], ledgerGroups.get(group) ?? []));
}

const groupOf = ({ txHash, tokenId, side }: ChainFill | LedgerFill, trader: string): string =>
  `${txHash} ${trader} ${tokenId} ${side}`;

function compareGroup(chain: readonly ChainFill[], ledger: readonly LedgerFill[]): Difference[] {
  const unpaired = ledger.toSorted(byAmount);
  const found: Difference[] = [];
  const withoutEqual: ChainFill[] = [];
  for (const fill of chain.toSorted(byAmount)) {
    const place = unpaired.findIndex(({ sharesMicro }) => sharesMicro === fill.sharesMicro);
    const [entry] = place === -1 ? [] : unpaired.splice(place, 1);
    if (entry === undefined) withoutEqual.push(fill);
    else found.push(...comparePair(fill, entry));
  }
  for (const fill of withoutEqual) {
    const entry = unpaired.shift();
    if (entry === undefined) found.push({ kind: "missing_in_ledger", chain: fill });
    else found.push({ kind: "shares", chain: fill, ledger: entry });
  }
  return [...found, ...unpaired.map((entry): Difference => ({ kind: "missing_on_chain", ledger: entry }))];
}

function byAmount(a: ChainFill | LedgerFill, b: ChainFill | LedgerFill): number {
  if (a.sharesMicro !== b.sharesMicro) return a.sharesMicro < b.sharesMicro ? -1 : 1;
  if (a.usdMicro !== b.usdMicro) return a.usdMicro < b.usdMicro ? -1 : 1;
  return Number(a.isTaker) - Number(b.isTaker);
}

function comparePair(chain: ChainFill, ledger: LedgerFill): Difference[] {
  const rounding = priceRounding(chain.sharesMicro);
  const kinds: ("usd" | "fee" | "role" | "time")[] = [];
  if (distance(chain.usdMicro, ledger.usdMicro) > rounding) kinds.push("usd");
  // A null fee is unknown, on either side.
  if (chain.feeMicro !== null && ledger.feeMicro !== null && distance(chain.feeMicro, ledger.feeMicro) > rounding)
    kinds.push("fee");
  if (ledger.isTaker !== chain.isTaker) kinds.push("role");
  if (chain.tradedAtMs !== ledger.tradedAtMs) kinds.push("time");
  return kinds.map((kind) => ({ kind, chain, ledger }));
}

/**
 * The provider publishes shares and a price of ten decimals, and the ledger's dollars are their product: half
 * a unit of the last decimal per share, and one millionth for the rounding of the product.
 */
const priceRounding = (sharesMicro: bigint): bigint => sharesMicro / 20_000_000_000n + 1n;

const distance = (a: bigint, b: bigint): bigint => (a < b ? b - a : a - b);
