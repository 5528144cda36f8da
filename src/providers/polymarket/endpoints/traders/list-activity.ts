import type { ProviderPage, ProviderActivity } from "../../../../platform/provider.ts";
import { toActivity } from "../../mapping/trades/activity.ts";
import { ActivityRow } from "../../payloads/trades/activity.ts";
import { readDataPage } from "../data-page.ts";
import type { Source } from "../source.ts";

/** Maximum page size of the provider. */
const PAGE_ROWS = 1000;
/** The provider interprets a `start` of 0 as three years ago. */
const BEGINNING_SECONDS = 1;

/**
 * Reads all activity types in one walk. Sources disagree on whether the provider accepts a list of types, so
 * it filters nothing.
 */
export function listActivity(
  source: Source,
  address: string,
  since: Date | null,
  cursor: string | null,
): Promise<ProviderPage<ProviderActivity>> {
  const start = since === null ? BEGINNING_SECONDS : Math.max(BEGINNING_SECONDS, Math.floor(since.getTime() / 1000));
  return readDataPage(source, {
    route: "data.other",
    path: "/v2/activity",
    query: {
      user: address,
      start,
      sort_by: "TIMESTAMP",
      sort_direction: "ASC",
      exclude_deposits_withdrawals: false,
      limit: PAGE_ROWS,
    },
    cursor,
    schema: ActivityRow,
    map: toActivity,
  });
}
