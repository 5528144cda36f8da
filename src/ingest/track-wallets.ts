import type { Session } from "../db/client.ts";
import { WARM_MIN_FILL_USD } from "../domain/tracking.ts";
import { reachesFloor, toMicro } from "../scoring/dollar-floor.ts";

/** Raises wallets to a tier (never lowers them) and makes the activity of those that it raises, or that are new to us, due for reading. */
export async function trackWallets(session: Session, traderIds: readonly number[], tier: "hot" | "warm"): Promise<void> {
  if (traderIds.length === 0) return;
  await session.query(
    `with raised as (
       update traders set tier = $2 where id = any($1::bigint[]) and tier <> $2 and tier <> 'hot' returning id
     ), hastened as (
       update wallet_syncs s set due_at = least(s.due_at, now()) from raised where s.trader_id = raised.id
     )
     insert into wallet_syncs (trader_id) select unnest($1::bigint[]) on conflict (trader_id) do nothing`,
    [[...new Set(traderIds)], tier],
  );
}

/**
 * Makes cold wallets that were followed before warm again: what is stored of them is whole only as long as they do nothing that we do not
 * read.
 */
export async function rewarmWallets(session: Session, traderIds: readonly number[]): Promise<void> {
  await session.query(
    `with raised as (
       update traders t set tier = 'warm' from wallet_syncs s
       where t.id = any($1::bigint[]) and t.tier = 'cold' and s.trader_id = t.id returning t.id
     )
     update wallet_syncs s set due_at = least(s.due_at, now()) from raised where s.trader_id = raised.id`,
    [[...new Set(traderIds)]],
  );
}

/** The wallets whose fill is large enough to follow them. */
export function walletsToWarm(fills: readonly { traderId: number; usdMicro: bigint }[]): number[] {
  return fills.filter((fill) => reachesFloor(fill.usdMicro, toMicro(WARM_MIN_FILL_USD))).map((fill) => fill.traderId);
}
