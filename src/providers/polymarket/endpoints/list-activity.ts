import type { Page, ProviderActivity } from "../../../ports/provider.ts";
import { toActivity } from "../mapping/activity.ts";
import { ActivityRow } from "../payloads/activity.ts";
import { readDataPage } from "./data-page.ts";
import type { Source } from "./source.ts";

/** The most the provider gives. */
const ROWS = 1000;
/** A `start` of 0 would be read as three years ago. */
const BEGINNING_SECONDS = 1;

/** All types in one walk: sources disagree on whether the provider takes a list of types, so nothing is filtered there. */
export function listActivity(source: Source, address: string, since: Date | null, cursor: string | null): Promise<Page<ProviderActivity>> {
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
      limit: ROWS,
    },
    cursor,
    schema: ActivityRow,
    map: toActivity,
  });
}
