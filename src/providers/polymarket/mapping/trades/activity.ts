import { feeInCash } from "../../../../domain/trades/fee-in-cash.ts";
import type { OtherActivity, ProviderActivity, ProviderTrade } from "../../../../platform/provider.ts";
import type { ActivityRow, OtherActivityRow, TradeActivity } from "../../payloads/trades/activity.ts";
import { toMarketHint, toTraderHint } from "./hints.ts";
import { toTrade } from "./trade.ts";

export function toActivity(row: ActivityRow): ProviderActivity {
  return row.type === "TRADE"
    ? { kind: "trade", trade: toTradeWithFee(row) }
    : { kind: "other", activity: toOther(row) };
}

function toTradeWithFee(row: TradeActivity): ProviderTrade {
  const trade = toTrade(row);
  return { ...trade, feeMicro: feeInCash(trade, row.usdc_size) };
}

function toOther(row: OtherActivityRow): OtherActivity {
  return {
    trader: toTraderHint(row),
    type: row.type,
    market: row.condition_id === null ? null : toMarketHint(row, row.condition_id),
    tokenId: row.token_id,
    sharesMicro: row.size,
    usdMicro: row.usdc_size,
    happenedAt: row.timestamp,
    txHash: row.transaction_hash,
  };
}
