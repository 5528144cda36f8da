import type { MarketHint, TraderHint } from "../../../../platform/provider.ts";
import type { DataRow } from "../../payloads/trades/trade.ts";

export function toTraderHint(row: DataRow): TraderHint {
  return { address: row.proxy_wallet, username: row.name, profileImage: row.profile_image };
}

export function toMarketHint(row: DataRow, conditionId: string): MarketHint {
  return { conditionId, title: row.title, slug: row.slug, eventSlug: row.event_slug, icon: row.icon };
}
