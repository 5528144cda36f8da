import { chunk } from "../../../lib/chunk.ts";
import {
  ProviderUnavailable,
  type QuarantinedRecord,
  type ProviderPage,
  type ProviderMarket,
} from "../../../platform/provider.ts";
import { paddedConditionId } from "../mapping/trades/second-protocol-id.ts";
import { collectPages, type PageCollection } from "./collect-pages.ts";
import { readMarketPage } from "./market-page.ts";
import type { Source } from "./source.ts";

/** Conditions in one URL. Each may be requested in two forms, and a URL takes about a hundred ids. */
const CONDITIONS_AT_ONCE = 50;

/**
 * Reads markets by condition id: first among the open ones, then the rest among the closed ones. Without
 * `closed=true` the provider does not return a closed market at all.
 */
export async function findMarkets(
  source: Source,
  conditionIds: readonly string[],
): Promise<ProviderPage<ProviderMarket>> {
  const rows: ProviderMarket[] = [];
  const quarantined: QuarantinedRecord[] = [];
  for (const requested of chunk(conditionIds, CONDITIONS_AT_ONCE)) {
    let missing = requested;
    for (const closed of [false, true]) {
      if (missing.length === 0) break;
      const found = await lookUp(source, missing, closed);
      rows.push(...found.rows);
      quarantined.push(...found.quarantined);
      const known = new Set(found.rows.map((row) => row.conditionId));
      missing = missing.filter((id) => !known.has(id));
    }
  }
  return { rows, nextCursor: null, quarantined: quarantined };
}

async function lookUp(
  source: Source,
  conditionIds: readonly string[],
  closed: boolean,
): Promise<PageCollection<ProviderMarket>> {
  // The width in which Gamma writes second-protocol ids is unknown, so both forms are requested.
  const forms = [...new Set(conditionIds.flatMap((id) => [id, paddedConditionId(id)]))];
  return collectPages(async (cursor) => {
    const page = await readMarketPage(source, { closed, conditionIds: forms }, cursor);
    // The provider silently ignores a filter that it does not understand and returns arbitrary markets.
    if (page.rows.some((row) => !conditionIds.includes(row.conditionId))) {
      throw new ProviderUnavailable("gamma.markets: the response contains markets that were not requested", null);
    }
    return page;
  });
}
