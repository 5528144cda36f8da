import { formatMicro } from "../money.ts";

/** One fill of a settlement transaction, in one market. */
export interface TransactionFill {
  readonly wallet: string;
  readonly tokenId: string;
  readonly side: "BUY" | "SELL";
  readonly sharesMicro: bigint;
  readonly usdMicro: bigint;
  readonly isTaker: boolean;
}

/**
 * How a maker's order was matched with the taker's: in the same token, or in opposite tokens where both
 * bought (which mints the pair) or both sold (which merges it).
 */
export type MatchType = "COMPLEMENTARY" | "MINT" | "MERGE";

export interface MatchBreakdown {
  readonly matchType: MatchType;
  readonly makerFillCount: number;
  readonly filledSharesMicro: bigint;
}

/** One wallet's part of a trade. */
export interface Counterparty {
  readonly wallet: string;
  readonly makerFillCount: number;
  readonly filledSharesMicro: bigint;
  /**
   * Its own dollars: a maker that minted or merged against a taker at price p traded the other token at 1 -
   * p.
   */
  readonly filledUsdMicro: bigint;
  /** Its shares in percent of the trade's shares, six decimals, truncated: 0 to 100. */
  readonly sharePct: string;
  /** In the order of `MatchType`; types that did not occur are omitted. */
  readonly matches: readonly MatchBreakdown[];
}

/** Why the makers of a trade cannot be determined. */
export type UnmatchedReason =
  | "several_taker_orders"
  | "no_taker_fill"
  | "no_maker_fills"
  | "missing_maker_fills"
  | "surplus_maker_fills"
  | "unmatchable_fill";

export type CounterpartyMatch =
  | { readonly status: "unavailable"; readonly reason: UnmatchedReason }
  | {
      readonly status: "available";
      readonly taker: Counterparty;
      /** Largest part first, then by wallet. */
      readonly makers: readonly Counterparty[];
    };

/**
 * Matches the taker of a settlement transaction with its makers. One taker order settles per transaction, as a rule, and
 * its shares are the sum of its makers' shares. All makers are known only if the recorded fills add up
 * exactly to the millionth of a share; otherwise the match is unavailable.
 *
 * @param fills all recorded fills of the transaction in the taker's market, without those known to be of another taker
 *   order
 * @param isBinary whether the market has exactly two outcomes, so that the other token is the opposite one
 * Source: the provider's settlement contracts (OrderFilled, OrdersMatched).
 */
export function matchCounterparties(fills: readonly TransactionFill[], isBinary: boolean): CounterpartyMatch {
  const takers = fills.filter((fill) => fill.isTaker);
  const [taker] = takers;
  if (taker === undefined) return unavailable("no_taker_fill");
  if (takers.length > 1) return unavailable("several_taker_orders");
  const makers = fills.filter((fill) => !fill.isTaker);
  if (makers.length === 0 || taker.sharesMicro <= 0n) return unavailable("no_maker_fills");

  const matched: MatchedFill[] = [];
  for (const fill of makers) {
    const matchType = matchTypeOf(taker, fill, isBinary);
    if (matchType === null) return unavailable("unmatchable_fill");
    matched.push({ ...fill, matchType });
  }
  const filled = sharesOf(matched);
  if (filled !== taker.sharesMicro)
    return unavailable(filled < taker.sharesMicro ? "missing_maker_fills" : "surplus_maker_fills");

  const byWallet = Map.groupBy(matched, (fill) => fill.wallet);
  return {
    status: "available",
    taker: { ...toCounterparty(taker.wallet, matched, taker.sharesMicro), filledUsdMicro: taker.usdMicro },
    makers: [...byWallet]
      .map(([wallet, walletFills]) => toCounterparty(wallet, walletFills, taker.sharesMicro))
      .sort(compareMakers),
  };
}

type MatchedFill = TransactionFill & { readonly matchType: MatchType };

const unavailable = (reason: UnmatchedReason): CounterpartyMatch => ({ status: "unavailable", reason });

function matchTypeOf(taker: TransactionFill, maker: TransactionFill, isBinary: boolean): MatchType | null {
  const sameSide = maker.side === taker.side;
  if (maker.tokenId === taker.tokenId) return sameSide ? null : "COMPLEMENTARY";
  if (!isBinary || !sameSide) return null;
  return taker.side === "BUY" ? "MINT" : "MERGE";
}

const MATCH_TYPES: readonly MatchType[] = ["COMPLEMENTARY", "MINT", "MERGE"];

function toCounterparty(wallet: string, fills: readonly MatchedFill[], takerSharesMicro: bigint): Counterparty {
  const filledSharesMicro = sharesOf(fills);
  return {
    wallet,
    makerFillCount: fills.length,
    filledSharesMicro,
    filledUsdMicro: fills.reduce((sum, fill) => sum + fill.usdMicro, 0n),
    sharePct: formatMicro((filledSharesMicro * 100_000_000n) / takerSharesMicro),
    matches: MATCH_TYPES.flatMap((matchType) => {
      const matching = fills.filter((fill) => fill.matchType === matchType);
      if (matching.length === 0) return [];
      return { matchType, makerFillCount: matching.length, filledSharesMicro: sharesOf(matching) };
    }),
  };
}

const sharesOf = (fills: readonly TransactionFill[]): bigint => fills.reduce((sum, fill) => sum + fill.sharesMicro, 0n);

function compareMakers(a: Counterparty, b: Counterparty): number {
  if (a.filledSharesMicro !== b.filledSharesMicro) return a.filledSharesMicro > b.filledSharesMicro ? -1 : 1;
  return a.wallet < b.wallet ? -1 : 1;
}
