import type { ProviderTrade } from "../../../ports/provider.ts";

/** The provider rounds prices to this many decimals; a shorter one ends in zeroes it did not write. */
const PRICE_DECIMALS = 10;
const PRICE_STEP = 10n ** BigInt(PRICE_DECIMALS);

/**
 * The fee in a trade's cash, in micro-dollars: a buyer pays shares times price and the fee, a seller gets it less the fee.
 *
 * The rounding of the price alone makes cash and product differ, by up to half a unit of the price's last decimal for each share; below
 * that, and one micro-unit for the rounding of either amount, there was no fee. The smallest fee is 10 micro-dollars.
 *
 * @param cashMicro what the provider says changed hands; null where it does not tell
 * @returns null when the cash is unknown, or off by more than rounding in the direction no fee goes
 */
export function feeInCash(trade: Pick<ProviderTrade, "side" | "sharesMicro" | "usdMicro">, cashMicro: bigint | null): bigint | null {
  if (cashMicro === null) return null;
  const fee = trade.side === "BUY" ? cashMicro - trade.usdMicro : trade.usdMicro - cashMicro;
  const noise = trade.sharesMicro / (2n * PRICE_STEP) + 1n;
  if (fee > noise) return fee;
  return fee >= -noise ? 0n : null;
}
