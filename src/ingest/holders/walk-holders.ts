import {
  ProviderRefused,
  type QuarantinedRecord,
  type ProviderPage,
  type Provider,
  type ProviderHolder,
} from "../../platform/provider.ts";

/** One graded trader's shares of one outcome. */
export interface HolderShares {
  readonly traderId: string;
  readonly outcomeIndex: number;
  readonly sharesMicro: bigint;
}

/**
 * All holders of a market, or the reason why they could not be read completely. Both carry the quarantined
 * records.
 */
export type HolderWalk = { readonly quarantined: readonly QuarantinedRecord[] } & (
  | { readonly isComplete: true; readonly holdings: readonly HolderShares[]; readonly holderCount: number }
  | { readonly isComplete: false; readonly reason: string }
);

export interface HolderLookups {
  /** Row ids of the graded traders among these addresses. */
  findGraded(addresses: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Outcome index by token id, for the market's known outcomes. */
  readonly outcomeIndexes: ReadonlyMap<string, number>;
}

/** 100,000 rows. The walk of a larger market would take longer than its result stays current. */
const MAX_PAGES = 100;

/**
 * Walks all holders of a market. Only graded traders are kept, page by page, so that the largest market fits
 * in memory. If shares move during the walk and a row appears twice, the later one counts.
 *
 * @throws ProviderUnavailable when the provider cannot respond now
 */
export async function walkHolders(provider: Provider, conditionId: string, roster: HolderLookups): Promise<HolderWalk> {
  const holdings = new Map<string, HolderShares>();
  const addresses = new Set<string>();
  const quarantined: QuarantinedRecord[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page = await readPage(provider, conditionId, cursor);
    if (page === null)
      return { isComplete: false, reason: "the provider refuses to list the market's holders", quarantined };
    quarantined.push(...page.quarantined);
    const graded = await roster.findGraded([...new Set(page.rows.map((row) => row.address))]);
    for (const row of page.rows) {
      addresses.add(row.address);
      const outcomeIndex = roster.outcomeIndexes.get(row.tokenId) ?? row.outcomeIndex;
      if (outcomeIndex === null)
        return { isComplete: false, reason: `the outcome of token ${row.tokenId} is not known`, quarantined };
      const traderId = graded.get(row.address);
      if (traderId === undefined) continue;
      holdings.set(`${traderId}:${outcomeIndex}`, { traderId, outcomeIndex, sharesMicro: row.sharesMicro });
    }
    cursor = page.nextCursor;
    if (cursor !== null) continue;
    // The trader of a quarantined record is unknown, so the list of holders would be incomplete.
    if (quarantined.length > 0)
      return { isComplete: false, reason: `rows that did not fit: ${quarantined.length}`, quarantined };
    return { isComplete: true, holdings: [...holdings.values()], holderCount: addresses.size, quarantined };
  }
  return { isComplete: false, reason: `more than ${MAX_PAGES} pages of holders`, quarantined };
}

/** @returns null when the provider refuses the market or the cursor */
async function readPage(
  provider: Provider,
  conditionId: string,
  cursor: string | null,
): Promise<ProviderPage<ProviderHolder> | null> {
  try {
    return await provider.listHolders(conditionId, cursor);
  } catch (error) {
    if (error instanceof ProviderRefused) return null;
    throw error;
  }
}
