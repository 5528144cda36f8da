import { chunk } from "../../../../lib/chunk.ts";
import { ProviderUnavailable, type ProviderPage, type QuarantinedRecord } from "../../../../platform/provider.ts";
import { collectPages } from "../collect-pages.ts";

/** Ids in one URL. A condition may be requested in two forms, and a URL takes about a hundred ids. */
const IDS_AT_ONCE = 50;

/**
 * Reads markets by an id: first among the open ones, then the rest among the closed ones. Without `closed=true` the
 * provider does not return a closed market at all.
 *
 * @param idsOf the ids by which a row may have been requested
 */
export async function lookUpMarkets<Row>(
  ids: readonly string[],
  idsOf: (row: Row) => readonly string[],
  readPage: (ids: readonly string[], closed: boolean, cursor: string | null) => Promise<ProviderPage<Row>>,
): Promise<ProviderPage<Row>> {
  const rows: Row[] = [];
  const quarantined: QuarantinedRecord[] = [];
  for (const requested of chunk(ids, IDS_AT_ONCE)) {
    let missing = requested;
    for (const closed of [false, true]) {
      if (missing.length === 0) break;
      const wanted = new Set(missing);
      const found = await collectPages(async (cursor) => {
        const page = await readPage([...wanted], closed, cursor);
        // The provider silently ignores a filter that it does not understand and returns arbitrary markets.
        if (page.rows.some((row) => !idsOf(row).some((id) => wanted.has(id))))
          throw new ProviderUnavailable("gamma.markets: the response contains markets that were not requested", null);
        return page;
      });
      rows.push(...found.rows);
      quarantined.push(...found.quarantined);
      const known = new Set(found.rows.flatMap(idsOf));
      missing = missing.filter((id) => !known.has(id));
    }
  }
  return { rows, nextCursor: null, quarantined };
}
