import {
  ProviderUnavailable,
  type QuarantinedRecord,
  type Provider,
  type ProviderPosition,
} from "../../platform/provider.ts";

/**
 * A trader with more rows than this is not measured: it would use the provider's whole request budget for a
 * while.
 */
export const MAX_POSITIONS = 5_000;

/**
 * All position rows that the provider lists for a trader, or the reason why they are incomplete. Both carry
 * the quarantined records.
 */
export type PositionWalk = { readonly quarantined: readonly QuarantinedRecord[] } & (
  | { readonly isComplete: true; readonly rows: readonly ProviderPosition[] }
  | { readonly isComplete: false; readonly reason: string }
);

/** Reads a trader's open and closed positions, both to the end. */
export async function walkPositions(provider: Provider, address: string): Promise<PositionWalk> {
  const rows: ProviderPosition[] = [];
  const quarantined: QuarantinedRecord[] = [];
  for (const state of ["open", "closed"] as const) {
    const cursors = new Set<string>();
    for (let cursor: string | null = null; ;) {
      const page = await provider.listPositions(address, state, cursor);
      rows.push(...page.rows);
      quarantined.push(...page.quarantined);
      if (rows.length + quarantined.length > MAX_POSITIONS)
        return { isComplete: false, quarantined, reason: `more than ${MAX_POSITIONS} positions` };
      cursor = page.nextCursor;
      if (cursor === null) break;
      if (cursors.has(cursor)) throw new ProviderUnavailable("the cursors of the pages form a cycle", null);
      cursors.add(cursor);
    }
  }
  // A row that cannot be parsed may belong to any market, so no market could be called complete.
  if (quarantined.length > 0)
    return { isComplete: false, quarantined, reason: `${quarantined.length} position rows did not fit their schema` };
  return { isComplete: true, quarantined, rows };
}
