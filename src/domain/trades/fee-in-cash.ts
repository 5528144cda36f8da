import { PRICE_DECIMALS } from "./printed-price.ts";

const PRICE_STEP = 10n ** BigInt(PRICE_DECIMALS);

/**
 * The fee in a trade's cash, in micro-dollars. A buyer pays shares times price plus the fee; a seller
 * receives it minus the fee.
 *
 * The rounding of the price alone makes cash and product differ, by up to half a unit of the price's last
 * decimal per share. A difference within that, plus one micro-unit for the rounding of either amount, means
 * no fee. The smallest fee is 10 micro-dollars.
 *
 * @param cashMicro the cash that the provider reports; null if it reports none
 * @returns null when the cash is unknown, or differs by more than rounding in the direction opposite to a fee
 */
export function feeInCash(
  trade: { readonly side: "BUY" | "SELL"; readonly sharesMicro: bigint; readonly usdMicro: bigint },
  cashMicro: bigint | null,
): bigint | null {
  if (cashMicro === null) return null;
  const fee = trade.side === "BUY" ? cashMicro - trade.usdMicro : trade.usdMicro - cashMicro;
  const noise = trade.sharesMicro / (2n * PRICE_STEP) + 1n;
  if (fee > noise) return fee;
  return fee >= -noise ? 0n : null;
}
