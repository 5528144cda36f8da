import { ProviderUnavailable, type Misfit, type Page, type ProviderMarket } from "../../../ports/provider.ts";
import { paddedConditionId } from "../mapping/second-protocol-id.ts";
import { collectPages, type Collected } from "./collect-pages.ts";
import { readMarketPage } from "./market-page.ts";
import type { Source } from "./source.ts";

/** Conditions in one address; each may be asked for in two forms, and an address takes about a hundred ids. */
const CONDITIONS_AT_ONCE = 50;

/** Open markets first, then the rest among the closed ones: without `closed=true` the provider does not find a closed market at all. */
export async function findMarkets(source: Source, conditionIds: readonly string[]): Promise<Page<ProviderMarket>> {
  const rows: ProviderMarket[] = [];
  const misfits: Misfit[] = [];
  for (let start = 0; start < conditionIds.length; start += CONDITIONS_AT_ONCE) {
    let missing = conditionIds.slice(start, start + CONDITIONS_AT_ONCE);
    for (const closed of [false, true]) {
      if (missing.length === 0) break;
      const found = await lookUp(source, missing, closed);
      rows.push(...found.rows);
      misfits.push(...found.misfits);
      const known = new Set(found.rows.map((row) => row.conditionId));
      missing = missing.filter((id) => !known.has(id));
    }
  }
  return { rows, nextCursor: null, misfits };
}

async function lookUp(source: Source, conditionIds: readonly string[], closed: boolean): Promise<Collected<ProviderMarket>> {
  // How wide Gamma writes second-protocol ids is not known, so both forms are asked for.
  const forms = [...new Set(conditionIds.flatMap((id) => [id, paddedConditionId(id)]))];
  return collectPages(async (cursor) => {
    const page = await readMarketPage(source, { closed, conditionIds: forms }, cursor);
    // A filter the provider does not understand is ignored in silence, and any markets come back.
    if (page.rows.some((row) => !conditionIds.includes(row.conditionId))) {
      throw new ProviderUnavailable("gamma.markets: answered with markets nobody asked for", null);
    }
    return page;
  });
}
