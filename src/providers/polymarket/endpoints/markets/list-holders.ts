import { ProviderRefused, type ProviderPage, type ProviderHolder } from "../../../../platform/provider.ts";
import { toHolder } from "../../mapping/traders/holder.ts";
import { isSecondProtocol, paddedConditionId } from "../../mapping/trades/second-protocol-id.ts";
import { HolderRow } from "../../payloads/traders/holder.ts";
import { readDataPage } from "../data-page.ts";
import type { Source } from "../source.ts";

/** Maximum page size of the provider. */
const PAGE_ROWS = 1000;

/**
 * Reads one page of a market's holders. The width that the provider expects for second-protocol conditions is
 * unknown, so each page tries both, first the one we store.
 */
export async function listHolders(
  source: Source,
  conditionId: string,
  cursor: string | null,
): Promise<ProviderPage<ProviderHolder>> {
  try {
    return await readHolders(source, { conditionId, requestedId: conditionId }, cursor);
  } catch (error) {
    if (!(error instanceof ProviderRefused) || !isSecondProtocol(conditionId)) throw error;
    return readHolders(source, { conditionId, requestedId: paddedConditionId(conditionId) }, cursor);
  }
}

function readHolders(
  source: Source,
  { conditionId, requestedId }: { conditionId: string; requestedId: string },
  cursor: string | null,
): Promise<ProviderPage<ProviderHolder>> {
  return readDataPage(source, {
    route: "data.other",
    path: "/v2/positions",
    // Sorted by shares: an order by value changes with every price, and a walk would miss holders that move
    // up across its pages.
    query: { condition: requestedId, status: "OPEN", sort_by: "TOKENS", sort_direction: "DESC", limit: PAGE_ROWS },
    cursor,
    schema: HolderRow,
    map: (row) => toHolder(row, conditionId),
  });
}
