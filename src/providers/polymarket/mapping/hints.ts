import type { MarketHint, WalletHint } from "../../../ports/provider.ts";
import type { NamedRow } from "../payloads/trade.ts";

export function toWalletHint(row: NamedRow): WalletHint {
  return { address: row.proxy_wallet, username: row.name, profileImage: row.profile_image };
}

export function toMarketHint(row: NamedRow, conditionId: string): MarketHint {
  return { conditionId, title: row.title, slug: row.slug, eventSlug: row.event_slug, icon: row.icon };
}
