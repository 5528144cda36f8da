import type { ProviderPage, ProviderPosition } from "../../../../platform/provider.ts";
import { toPosition } from "../../mapping/traders/position.ts";
import { PositionRow } from "../../payloads/traders/position.ts";
import { readDataPage } from "../data-page.ts";
import type { Source } from "../source.ts";

/** Maximum page size of the provider. */
const PAGE_ROWS = 1000;

/**
 * Reads one page of a trader's positions. The provider's `OPEN` means open shares, resolved or not; `CLOSED`
 * means positions without shares and has no archive parameter.
 */
export function listPositions(
  source: Source,
  address: string,
  state: "open" | "closed",
  cursor: string | null,
): Promise<ProviderPage<ProviderPosition>> {
  return readDataPage(source, {
    route: "data.other",
    path: "/v2/positions",
    query: {
      user: address,
      status: state === "open" ? "OPEN" : "CLOSED",
      include_archived: state === "open" ? true : null,
      // Oldest first: a position that changes while the pages are read moves to the end. An order by value
      // would skip and repeat rows with every price.
      sort_by: "TIMESTAMP",
      sort_direction: "ASC",
      limit: PAGE_ROWS,
    },
    cursor,
    schema: PositionRow,
    map: (row) => toPosition(row, address),
  });
}
