import type { ProviderHolder } from "../../../../platform/provider.ts";
import { InvalidRecord } from "../../payloads/parse-provider-records.ts";
import type { HolderRow } from "../../payloads/traders/holder.ts";

/**
 * @param conditionId the requested market
 * @returns null for a row without shares
 * @throws InvalidRecord for a row of another market
 */
export function toHolder(row: HolderRow, conditionId: string): ProviderHolder | null {
  if (row.condition_id !== conditionId) throw new InvalidRecord("condition_id: expected the requested market");
  if (row.current_size === 0n) return null;
  return {
    address: row.proxy_wallet,
    tokenId: row.token_id,
    outcomeIndex: row.outcome_index,
    sharesMicro: row.current_size,
  };
}
