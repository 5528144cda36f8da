import { feeInCash } from "../../domain/trades/fee-in-cash.ts";
import { multiplyMicro } from "../../domain/money.ts";
import { printedPrice } from "../../domain/trades/printed-price.ts";
import type { ProviderTrade } from "../../platform/provider.ts";
import type { KnownToken } from "./describe-tokens.ts";
import type { RecordableFill } from "./record-fills.ts";

/**
 * The fill as the provider's trade feed shows it: its price is the quotient of dollars and shares to ten decimals, its
 * dollars are the product of shares and this price, and its fee is the rest of the trader's cash, as in the trader's
 * activity. So ledger and figures do not depend on which of the sources shows a fill first.
 *
 * @returns null when the fill has no price from 0 to 1
 */
export function toProviderTrade(fill: RecordableFill, token: KnownToken): ProviderTrade | null {
  const { trader, tokenId, side, sharesMicro, feeMicro, tradedAtMs, txHash } = fill;
  if (sharesMicro === 0n || fill.usdMicro > sharesMicro) return null;
  const price = printedPrice(fill.usdMicro, sharesMicro);
  const usdMicro = multiplyMicro(sharesMicro, price);
  if (usdMicro === null) throw new RangeError(`not a decimal: ${price}`);
  const cashMicro = feeMicro === null ? null : fill.usdMicro + (side === "BUY" ? feeMicro : -feeMicro);
  return {
    trader: { address: trader, username: null, profileImage: null },
    market: { conditionId: token.conditionId, title: null, slug: null, eventSlug: null, icon: null },
    tokenId,
    outcomeIndex: token.outcomeIndex,
    outcomeLabel: token.label,
    side,
    sharesMicro,
    usdMicro,
    feeMicro: feeInCash({ side, sharesMicro, usdMicro }, cashMicro),
    price,
    tradedAt: new Date(tradedAtMs),
    txHash,
  };
}
