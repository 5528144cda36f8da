import { multiplyMicro } from "../../../domain/money.ts";
import type { MarketHint, OtherActivity, ProviderTrade, WalletHint } from "../../../ports/provider.ts";
import type { OtherActivityRow, TradeActivityRow, TradeRow } from "../payloads/data-api.ts";

export function toTrade(row: TradeRow): ProviderTrade {
  return {
    wallet: toWallet(row),
    market: toMarket(row, row.condition_id),
    tokenId: row.token_id,
    outcomeIndex: row.outcome_index,
    outcomeLabel: row.outcome,
    side: row.side,
    sharesMicro: row.size,
    usdMicro: notional(row),
    feeMicro: null,
    price: row.price,
    tradedAt: row.timestamp,
    txHash: row.transaction_hash,
  };
}

export function toTradeActivity(row: TradeActivityRow): ProviderTrade {
  return { ...toTrade(row), feeMicro: row.usdc_size === null || row.usdc_size === undefined ? null : feeOf(row, row.usdc_size) };
}

export function toOtherActivity(row: OtherActivityRow): OtherActivity {
  return {
    wallet: toWallet(row),
    type: row.type,
    market: row.condition_id === null || row.condition_id === undefined ? null : toMarket(row, row.condition_id),
    tokenId: row.token_id ?? null,
    sharesMicro: row.size ?? 0n,
    usdMicro: row.usdc_size ?? 0n,
    happenedAt: row.timestamp,
    txHash: row.transaction_hash,
  };
}

/** Differences below this are the rounding of the cash figure itself, which has five or six decimals. */
const CASH_NOISE_MICRO = 10n;

/**
 * The fee of a trade: the cash it moved less shares times price. The price is rounded, so a difference that half a unit of its last
 * decimal explains is no fee. Buys pay the fee on top, sales get less; a fee is never negative.
 */
function feeOf(row: TradeActivityRow, cashMicro: bigint): bigint {
  const difference = row.side === "BUY" ? cashMicro - notional(row) : notional(row) - cashMicro;
  const decimals = row.price.split(".")[1]?.length ?? 0;
  // A price with two or three decimals is a tick, exact by the exchange's rules; longer ones are averages, rounded at their end.
  const rounding = decimals <= 3 ? 0n : (row.size * 5n) / 10n ** BigInt(decimals + 1);
  return difference > rounding + CASH_NOISE_MICRO ? difference : 0n;
}

function notional(row: TradeRow): bigint {
  const usd = multiplyMicro(row.size, row.price);
  // The price has passed the payload schema: a plain decimal.
  if (usd === null) throw new Error("a parsed price is no decimal");
  return usd;
}

function toWallet(row: { proxy_wallet: string; name: string | null; profile_image: string | null }): WalletHint {
  return { address: row.proxy_wallet, username: row.name, profileImage: row.profile_image };
}

function toMarket(row: { title: string | null; slug: string | null; event_slug: string | null; icon: string | null }, conditionId: string): MarketHint {
  return { conditionId, title: row.title, slug: row.slug, eventSlug: row.event_slug, icon: row.icon };
}
