import { openCursor, signCursor, type CursorBinding } from "../../../api/request/cursor.ts";
import { z } from "zod";
import type { Counterparty } from "../../../domain/trades/match-counterparties.ts";
import type { KeyRing } from "../../../lib/crypto/key-ring.ts";

/** The makers of one analysis. */
export interface MakerList {
  readonly keys: KeyRing;
  readonly analysisId: string;
}

/** Offset in the list of makers. It stays valid because an analysis does not change. */
const CursorPosition = z.object({ served: z.number().int().positive() });

const bindingOf = ({ keys, analysisId }: MakerList): CursorBinding => ({
  keys,
  prefix: "wtc_",
  list: "counterparty_makers",
  filters: analysisId,
});

/** @throws ApiError invalid_query for a cursor that was not issued for this list */
export async function openMakerCursor(list: MakerList, cursor: string | null): Promise<number> {
  if (cursor === null || cursor === "") return 0;
  return (await openCursor(bindingOf(list), cursor, CursorPosition)).served;
}

/** The makers after the first `served`, with the cursor of the next page; null on the last one. */
export async function pageMakers(
  makers: readonly Counterparty[],
  list: MakerList,
  { served, limit }: { readonly served: number; readonly limit: number },
): Promise<{ readonly makers: readonly Counterparty[]; readonly nextCursor: string | null }> {
  const end = served + limit;
  return {
    makers: makers.slice(served, end),
    nextCursor: end < makers.length ? await signCursor(bindingOf(list), { served: end }) : null,
  };
}
