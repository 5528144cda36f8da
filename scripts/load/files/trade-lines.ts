import { formatMicro } from "../../../src/domain/money.ts";
import type { ProviderTrade } from "../../../src/platform/provider.ts";

/** The columns of `tradeLine`: the fields of the provider's trade rows, with the role that data sets add. */
export const TRADE_COLUMNS =
  `proxy_wallet,side,token_id,condition_id,size,price,timestamp,title,slug,icon,event_slug,outcome,outcome_index,name,
transaction_hash,role`.replaceAll("\n", "");

/** A generated trade as a line of a CSV archive, for benchmarks and tests of the load. No field contains a comma. */
export const tradeLine = (trade: ProviderTrade, isTaker: boolean): string =>
  [
    trade.trader.address,
    trade.side,
    trade.tokenId,
    trade.market.conditionId,
    formatMicro(trade.sharesMicro),
    trade.price,
    trade.tradedAt.getTime() / 1_000,
    trade.market.title,
    trade.market.slug,
    "",
    trade.market.eventSlug,
    trade.outcomeLabel,
    trade.outcomeIndex ?? 999,
    trade.trader.username,
    trade.txHash,
    isTaker ? "taker" : "",
  ].join(",");
