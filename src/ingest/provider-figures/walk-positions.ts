import { ProviderUnavailable, type Misfit, type Provider, type ProviderPosition } from "../../ports/provider.ts";

/** A wallet with more rows than this is not measured: it would take the provider's whole budget for a while. */
export const MOST_POSITIONS = 5_000;

/** All that the provider lists of a wallet, or why it is not all. Records that did not fit are told either way. */
export type PositionWalk = { readonly misfits: readonly Misfit[] } & (
  | { readonly whole: true; readonly rows: readonly ProviderPosition[] }
  | { readonly whole: false; readonly reason: string }
);

/** Reads what a wallet holds and what it has left, to the end of both. */
export async function walkPositions(provider: Provider, address: string): Promise<PositionWalk> {
  const rows: ProviderPosition[] = [];
  const misfits: Misfit[] = [];
  for (const state of ["open", "closed"] as const) {
    const cursors = new Set<string>();
    for (let cursor: string | null = null; ;) {
      const page = await provider.listPositions(address, state, cursor);
      rows.push(...page.rows);
      misfits.push(...page.misfits);
      if (rows.length + misfits.length > MOST_POSITIONS) return { whole: false, misfits, reason: `more than ${MOST_POSITIONS} positions` };
      cursor = page.nextCursor;
      if (cursor === null) break;
      if (cursors.has(cursor)) throw new ProviderUnavailable("the cursors of a walk lead in a circle", null);
      cursors.add(cursor);
    }
  }
  // A row that cannot be read may be of any market, so none could be said to be listed in full.
  if (misfits.length > 0) return { whole: false, misfits, reason: `${misfits.length} position rows did not fit their schema` };
  return { whole: true, misfits, rows };
}
