import type { ProviderLeaderboardRow } from "../../../../platform/provider.ts";
import type { BoardRow } from "../../payloads/traders/board.ts";

export function toBoardRow(row: BoardRow): ProviderLeaderboardRow {
  return {
    trader: { address: row.user_id, username: row.user_name, profileImage: row.profile_image },
    rank: row.rank,
    pnlUsd: row.pnl,
    volumeShares: row.volume,
  };
}
