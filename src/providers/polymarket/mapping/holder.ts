import type { ProviderHolder } from "../../../ports/provider.ts";
import { UnfitRecord } from "../payloads/fit-records.ts";
import type { HolderRow } from "../payloads/holder.ts";

/**
 * @param conditionId the market that was asked for
 * @returns null for a row without shares
 * @throws UnfitRecord for a row of another market
 */
export function toHolder(row: HolderRow, conditionId: string): ProviderHolder | null {
  if (row.condition_id !== conditionId) throw new UnfitRecord("condition_id: expected the market that was asked for");
  if (row.current_size === 0n) return null;
  return {
    address: row.proxy_wallet,
    tokenId: row.token_id,
    outcomeIndex: row.outcome_index,
    sharesMicro: row.current_size,
    valueMicro: row.current_value,
  };
}
