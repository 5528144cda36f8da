import type { z } from "zod";
import { formatId } from "../../../domain/ids.ts";
import { presentDecimal, presentMicro, presentUsd } from "../../../domain/money.ts";
import { tradePrice } from "../../../domain/trades/trade-price.ts";
import type { TimelineFill } from "../../../queries/positions/position-timeline.ts";
import type { PositionTimelineEvent } from "../schemas/timeline-schemas.ts";

export function presentTimelineEvent(fill: TimelineFill): z.input<typeof PositionTimelineEvent> {
  return {
    id: formatId("positionEvent", fill.id),
    event_timestamp: fill.traded_at,
    action: fill.kind,
    outcome_side: fill.outcome_index === 0 ? "yes" : "no",
    token_id: fill.token_id,
    amount_delta: presentMicro(fill.kind === "buy" ? fill.shares_micro : -fill.shares_micro, 6),
    price: presentDecimal(
      tradePrice({ usdMicro: fill.usd_micro, sharesMicro: fill.shares_micro, price: fill.price }),
      4,
    ),
    usdc_notional: presentUsd(fill.usd_micro),
    tx_hash: fill.tx_hash,
    running_amount: presentMicro(fill.running_micro, 6),
    running_avg_price: averagePrice(fill.paid_micro, fill.bought_micro),
  };
}

/** Dollars per share, truncated to four decimals; 0 before any buy, as the contract requires. */
function averagePrice(paidMicro: bigint, boughtMicro: bigint): number {
  return boughtMicro === 0n ? 0 : presentMicro((paidMicro * 1_000_000n) / boughtMicro, 4);
}
