import type { ProviderPosition, ProviderAllTimeStats } from "../../../../platform/provider.ts";
import { InvalidRecord } from "../../payloads/parse-provider-records.ts";
import type { PositionRow, StandingRow } from "../../payloads/traders/position.ts";

/**
 * @param address the requested address
 * @throws InvalidRecord for a row of another address
 */
export function toPosition(row: PositionRow, address: string): ProviderPosition {
  if (row.proxy_wallet !== address) throw new InvalidRecord("proxy_wallet: expected the requested address");
  return {
    conditionId: row.condition_id,
    tokenId: row.token_id,
    openSharesMicro: row.current_size,
    boughtSharesMicro: row.total_size,
    realizedMicro: row.realized_pnl,
    unrealizedMicro: row.unrealized_pnl,
    isRedeemable: row.redeemable,
  };
}

/**
 * @param address the requested address
 * @returns null for a trader that is not ranked on the leaderboard
 * @throws InvalidRecord for a row of another address
 */
export function toStanding(row: StandingRow, address: string): ProviderAllTimeStats | null {
  if (row.user_id !== null && row.user_id !== address)
    throw new InvalidRecord("user_id: expected the requested address");
  const pnlUsd = row.rank_pnl === null ? null : row.pnl;
  const volumeShares = row.rank_volume === null ? null : row.volume;
  return pnlUsd === null && volumeShares === null ? null : { pnlUsd, volumeShares };
}
