import { ProviderRefused, type Misfit, type Page, type Provider, type ProviderHolder } from "../../ports/provider.ts";

/** What one wallet holds of one outcome. */
export interface Holding {
  readonly traderId: string;
  readonly outcomeIndex: number;
  readonly sharesMicro: bigint;
  /** Null when the provider gave none. */
  readonly valueMicro: bigint | null;
}

/** A roster read to its end, or why there is none. Records that did not fit are told either way. */
export type HolderWalk = { readonly misfits: readonly Misfit[] } & (
  | { readonly whole: true; readonly holdings: readonly Holding[]; readonly walletCount: number }
  | { readonly whole: false; readonly reason: string }
);

export interface Roster {
  /** Row ids of the graded wallets among these addresses. */
  findGraded(addresses: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** By token, of the market's outcomes that we know. */
  readonly outcomeIndexes: ReadonlyMap<string, number>;
}

/** 100,000 rows; the walk of a larger market takes longer than its answer stays true. */
const MOST_PAGES = 100;

/**
 * Walks everybody who holds shares of a market. Only graded wallets are kept, page by page, so that the largest market fits in memory. A row
 * seen again, because shares were traded during the walk, counts as it was seen last.
 *
 * @throws ProviderUnavailable when the provider cannot answer now
 */
export async function walkHolders(provider: Provider, conditionId: string, roster: Roster): Promise<HolderWalk> {
  const holdings = new Map<string, Holding>();
  const wallets = new Set<string>();
  const misfits: Misfit[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const page = await readPage(provider, conditionId, cursor);
    if (page === null) return { whole: false, reason: "the provider refuses to list the market's holders", misfits };
    misfits.push(...page.misfits);
    const graded = await roster.findGraded([...new Set(page.rows.map((row) => row.address))]);
    for (const row of page.rows) {
      wallets.add(row.address);
      const outcomeIndex = roster.outcomeIndexes.get(row.tokenId) ?? row.outcomeIndex;
      if (outcomeIndex === null) return { whole: false, reason: `the outcome of token ${row.tokenId} is not known`, misfits };
      const traderId = graded.get(row.address);
      if (traderId === undefined) continue;
      const { sharesMicro, valueMicro } = row;
      holdings.set(`${traderId}:${outcomeIndex}`, { traderId, outcomeIndex, sharesMicro, valueMicro });
    }
    cursor = page.nextCursor;
    if (cursor !== null) continue;
    // Who the misfit is nobody can say, so without it the roster is short.
    if (misfits.length > 0) return { whole: false, reason: `rows that did not fit: ${misfits.length}`, misfits };
    return { whole: true, holdings: [...holdings.values()], walletCount: wallets.size, misfits };
  }
  return { whole: false, reason: `more than ${MOST_PAGES} pages of holders`, misfits };
}

/** @returns null when the provider refuses the market or the cursor */
async function readPage(provider: Provider, conditionId: string, cursor: string | null): Promise<Page<ProviderHolder> | null> {
  try {
    return await provider.listHolders(conditionId, cursor);
  } catch (error) {
    if (error instanceof ProviderRefused) return null;
    throw error;
  }
}
