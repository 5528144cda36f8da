import type { ProviderComboEvent, ProviderComboPosition, ProviderPage } from "../../../../platform/provider.ts";
import { toComboEvent, toComboPosition } from "../../mapping/traders/combo.ts";
import { ComboEventRow, ComboPositionRow } from "../../payloads/traders/combo.ts";
import { readDataPage } from "../data-page.ts";
import type { Source } from "../source.ts";

/** Maximum page size of the provider. A row repeats all its legs, so that a page of this size is large. */
const PAGE_ROWS = 250;

/** Reads one page of a trader's combo positions, in all states, the most recently updated first. */
export function listComboPositions(
  source: Source,
  address: string,
  cursor: string | null,
): Promise<ProviderPage<ProviderComboPosition>> {
  return readDataPage(source, {
    route: "data.other",
    path: "/v2/positions/combos",
    query: { user: address, sort_by: "UPDATED", sort_direction: "DESC", limit: PAGE_ROWS },
    cursor,
    schema: ComboPositionRow,
    map: (row) => toComboPosition(row, address),
  });
}

/** Reads one page of a trader's combo activity: a keyset walk over blocks. */
export function listComboActivity(
  source: Source,
  address: string,
  cursor: string | null,
): Promise<ProviderPage<ProviderComboEvent>> {
  return readDataPage(source, {
    route: "data.other",
    path: "/v2/activity/combos",
    query: { user: address, limit: PAGE_ROWS },
    cursor,
    schema: ComboEventRow,
    map: (row) => toComboEvent(row, address),
  });
}
