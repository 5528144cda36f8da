import type { z } from "zod";
import { formatId } from "../../../domain/ids.ts";
import { formatMicro, parseMicro } from "../../../domain/money.ts";
import { tradePrice } from "../../../domain/trades/trade-price.ts";
import type { ComboFillRow, ComboRow } from "../../../queries/combos/combo-rows.ts";
import type { ComboFill } from "../schemas/fill-schemas.ts";
import { presentTradedCombo, type TradedCombo } from "./present-traded-combo.ts";

const MICRO = 1_000_000n;

/** @param combos those of the fills, each once */
export function presentComboFills(
  { fills, combos }: { readonly fills: readonly ComboFillRow[]; readonly combos: readonly ComboRow[] },
  now: Date,
): z.input<typeof ComboFill>[] {
  const traded = new Map(combos.map((combo) => [combo.market_id, presentTradedCombo(combo, now)]));
  return fills.map((fill) => {
    const combo = traded.get(fill.market_id);
    if (combo === undefined) throw new Error(`the combo of fill ${fill.id} was not read`);
    return presentComboFill(fill, combo);
  });
}

/** @param combo the one that the fill is of */
export function presentComboFill(fill: ComboFillRow, combo: TradedCombo): z.input<typeof ComboFill> {
  const { shares_micro: sharesMicro, usd_micro: usdMicro } = fill;
  const outcomeIndex = outcomeOf(fill, combo.condition_id);
  const price = sharesMicro <= 0n ? null : tradePrice({ usdMicro, sharesMicro, price: fill.price });
  return {
    id: formatId("positionEvent", fill.id),
    ...presentChainPosition(fill),
    block_timestamp: fill.traded_at,
    tx_hash: fill.tx_hash,
    trader: fill.address,
    trader_name: fill.username,
    trader_grade: fill.grade,
    last_traded_at: fill.last_traded_at,
    action: fill.kind,
    condition_id: combo.condition_id,
    outcome_index: outcomeIndex,
    shares: formatMicro(sharesMicro),
    collateral_usdc: formatMicro(usdMicro),
    price,
    price_yes: priceOfYes(price, outcomeIndex),
    fee_usdc: fill.fee_micro === null ? null : formatMicro(fill.fee_micro),
    leg_count: combo.leg_count,
    status: combo.status,
    status_reason: combo.status_reason,
    won_legs: combo.won_legs,
    payout_multiplier: fill.kind === "buy" && usdMicro > 0n ? formatMicro((sharesMicro * MICRO) / usdMicro) : null,
    legs: combo.legs,
  };
}

/** Without a log, the second and the id take its place: they name the fill in a cursor. */
function presentChainPosition({ block_number: block, log_index: log, seconds, id }: ComboFillRow) {
  return block === null || log === null
    ? { block_number: seconds, log_index: id, chain_position_known: false }
    : { block_number: block, log_index: log, chain_position_known: true };
}

/**
 * The traded side: as the provider gave it, or from the token, which is the position id of the provider's
 * second protocol: the condition id followed by one byte, the outcome index.
 */
function outcomeOf({ outcome_index: given, token_id: token }: ComboFillRow, conditionId: string): number | null {
  if (given !== null || !/^\d+$/.test(token)) return given;
  const positionId = BigInt(token);
  return positionId >> 8n === BigInt(conditionId) ? Number(positionId & 255n) : null;
}

/** Exact: a price has at most six decimals. */
function priceOfYes(price: string | null, outcomeIndex: number | null): string | null {
  if (price === null || outcomeIndex === null) return null;
  if (outcomeIndex === 0) return price;
  const micro = parseMicro(price);
  return micro === null ? null : formatMicro(MICRO - micro).replace(/\.?0+$/, "");
}
