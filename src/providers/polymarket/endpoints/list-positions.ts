import type { Page, ProviderPosition } from "../../../ports/provider.ts";
import { toPosition } from "../mapping/position.ts";
import { PositionRow } from "../payloads/position.ts";
import { readDataPage } from "./data-page.ts";
import type { Source } from "./source.ts";

/** The most the provider gives. */
const ROWS = 1000;

/** The provider's `OPEN` is everything still held, resolved or not; `CLOSED` is what was left, and knows no archive. */
export function listPositions(
  source: Source,
  address: string,
  state: "open" | "closed",
  cursor: string | null,
): Promise<Page<ProviderPosition>> {
  return readDataPage(source, {
    route: "data.other",
    path: "/v2/positions",
    query: {
      user: address,
      status: state === "open" ? "OPEN" : "CLOSED",
      include_archived: state === "open" ? true : null,
      // Oldest first: what moves while the pages are read moves to the end. An order by value would skip and repeat rows with every price.
      sort_by: "TIMESTAMP",
      sort_direction: "ASC",
      limit: ROWS,
    },
    cursor,
    schema: PositionRow,
    map: (row) => toPosition(row, address),
  });
}
