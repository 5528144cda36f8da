import type { Session } from "../db/client.ts";
import { WARM_MIN_FILL_USD } from "../domain/tracking.ts";

/** Raises wallets to a tier (never lowers them) and makes their activity due for reading. */
export async function trackWallets(session: Session, traderIds: readonly number[], tier: "hot" | "warm"): Promise<void> {
  if (traderIds.length === 0) return;
  await session.query(
    `with raised as (
       update traders set tier = $2 where id = any($1::bigint[]) and tier <> $2 and tier <> 'hot'
     )
     insert into wallet_syncs (trader_id) select unnest($1::bigint[]) on conflict (trader_id) do nothing`,
    [[...new Set(traderIds)], tier],
  );
}

/** The wallets whose fill is large enough to follow them. */
export function walletsToWarm(fills: readonly { traderId: number; usdMicro: bigint }[]): number[] {
  return fills.filter((fill) => fill.usdMicro >= BigInt(WARM_MIN_FILL_USD) * 1_000_000n).map((fill) => fill.traderId);
}
