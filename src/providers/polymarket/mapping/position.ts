import type { ProviderPosition, ProviderStanding } from "../../../ports/provider.ts";
import { UnfitRecord } from "../payloads/fit-records.ts";
import type { PositionRow, StandingRow } from "../payloads/position.ts";

/**
 * @param address the wallet that was asked for
 * @throws UnfitRecord for a row of another wallet
 */
export function toPosition(row: PositionRow, address: string): ProviderPosition {
  if (row.proxy_wallet !== address) throw new UnfitRecord("proxy_wallet: expected the wallet that was asked for");
  return {
    conditionId: row.condition_id,
    tokenId: row.token_id,
    heldSharesMicro: row.current_size,
    boughtSharesMicro: row.total_size,
    realizedMicro: row.realized_pnl,
    unrealizedMicro: row.unrealized_pnl,
    isRedeemable: row.redeemable,
  };
}

/**
 * @param address the wallet that was asked for
 * @returns null for a wallet that has no place on the board
 * @throws UnfitRecord for another wallet's standing
 */
export function toStanding(row: StandingRow, address: string): ProviderStanding | null {
  if (row.user_id !== null && row.user_id !== address) throw new UnfitRecord("user_id: expected the wallet that was asked for");
  const pnlUsd = row.rank_pnl === null ? null : row.pnl;
  const volumeShares = row.rank_volume === null ? null : row.volume;
  return pnlUsd === null && volumeShares === null ? null : { pnlUsd, volumeShares };
}
