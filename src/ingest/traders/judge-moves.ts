import type { Session } from "../../db/client.ts";
import { isCombination } from "../../domain/ids.ts";
import { judgeCombos, NO_COMBOS, type ComboActivity, type CombosJudgement } from "../combos/judge-combos.ts";
import { hasPendingConversions } from "./conversions/pending-conversions.ts";
import type { NumberedPage } from "./number-activity.ts";

/** What of a page opens gaps that depend on what is stored of its conversions and combos. */
export interface StoredMoves {
  readonly conversionTxHashes: readonly string[];
  readonly inCombos: readonly ComboActivity[];
}

export interface MovesJudgement {
  /** A conversion is not booked. */
  readonly hasPending: boolean;
  readonly combos: CombosJudgement;
}

export function listStoredMoves({ trades, others }: Pick<NumberedPage, "trades" | "others">): StoredMoves {
  const inCombos = [
    ...trades.map(({ trade }) => ({ conditionId: trade.market.conditionId, at: trade.tradedAt, moved: null })),
    ...others.map(({ row }) => ({ conditionId: row.market?.conditionId ?? "", at: row.happenedAt, moved: row })),
  ].filter(({ conditionId }) => isCombination(conditionId));
  const conversionTxHashes = others.filter(({ row }) => row.type === "CONVERSION").map(({ row }) => row.txHash);
  return { conversionTxHashes, inCombos };
}

/**
 * One message in a transaction, and none for a page without conversions and combos. Conversions stay booked, combos stay known, and reads of combos
 * only become later: what is closed once the rows of the page are stored stays closed.
 */
export async function judgeMoves(
  session: Session,
  traderId: number,
  { conversionTxHashes, inCombos }: StoredMoves,
): Promise<MovesJudgement> {
  const [hasPending, combos] = await Promise.all([
    conversionTxHashes.length > 0 && hasPendingConversions(session, traderId, conversionTxHashes),
    inCombos.length > 0 ? judgeCombos(session, traderId, inCombos) : NO_COMBOS,
  ]);
  return { hasPending, combos };
}
