import type { ProviderBoardRow } from "../../../ports/provider.ts";
import type { BoardRow } from "../payloads/board.ts";

export function toBoardRow(row: BoardRow): ProviderBoardRow {
  return {
    wallet: { address: row.user_id, username: row.user_name, profileImage: row.profile_image },
    rank: row.rank,
    pnlUsd: row.pnl,
    volumeShares: row.volume,
  };
}
