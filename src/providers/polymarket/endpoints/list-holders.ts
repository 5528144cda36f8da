import { ProviderRefused, type Page, type ProviderHolder } from "../../../ports/provider.ts";
import { toHolder } from "../mapping/holder.ts";
import { isSecondProtocol, paddedConditionId } from "../mapping/second-protocol-id.ts";
import { HolderRow } from "../payloads/holder.ts";
import { readDataPage } from "./data-page.ts";
import type { Source } from "./source.ts";

/** The most the provider gives. */
const ROWS = 1000;

/** Which width the provider takes for conditions of the second protocol is not known, so each page asks for both, the one we store first. */
export async function listHolders(source: Source, conditionId: string, cursor: string | null): Promise<Page<ProviderHolder>> {
  try {
    return await readHolders(source, { conditionId, asked: conditionId }, cursor);
  } catch (error) {
    if (!(error instanceof ProviderRefused) || !isSecondProtocol(conditionId)) throw error;
    return readHolders(source, { conditionId, asked: paddedConditionId(conditionId) }, cursor);
  }
}

function readHolders(
  source: Source,
  { conditionId, asked }: { conditionId: string; asked: string },
  cursor: string | null,
): Promise<Page<ProviderHolder>> {
  return readDataPage(source, {
    route: "data.other",
    path: "/v2/positions",
    // By shares: an order by value moves with every price, and a walk would miss who moves up across its pages.
    query: { condition: asked, status: "OPEN", sort_by: "TOKENS", sort_direction: "DESC", limit: ROWS },
    cursor,
    schema: HolderRow,
    map: (row) => toHolder(row, conditionId),
  });
}
