import { sql } from "drizzle-orm";
import { z } from "zod";
import { m, s } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { isUnknownCombinationSql } from "../../db/fragments/completeness.ts";
import { array, epochMs, selectRow } from "../../db/sql.ts";
import type { OtherActivity } from "../../platform/provider.ts";

/**
 * The provider's view of combo positions trails by about 90 seconds. A trader's combos are read at most once in this time: a read
 * right after a trade would not show it.
 */
export const VIEW_LAG_MS = 180_000;

/** A row of activity in a combo. */
export interface ComboActivity {
  readonly conditionId: string;
  readonly at: Date;
  /** Null for a trade. */
  readonly moved: Pick<OtherActivity, "type"> | null;
}

export interface CombosJudgement {
  readonly isOpen: boolean;
  readonly isDue: boolean;
}

/** Of a page without activity in combos. */
export const NO_COMBOS: CombosJudgement = { isOpen: false, isDue: false };

/**
 * What activity in combos means for a trader's history. It stays open while one of the combos is unknown, while
 * the trader's combos have never been read to their end, or after a split or merge that follows the last read.
 * They are due again when anything follows the last read.
 */
export async function judgeCombos(
  session: Session,
  traderId: number,
  inCombos: readonly ComboActivity[],
): Promise<CombosJudgement> {
  const conditionIds = [...new Set(inCombos.map(({ conditionId }) => conditionId))];
  const state = await selectRow(
    session,
    sql`select (select ${epochMs(s.combosReadAt)} from ${s} where ${s.traderId} = ${traderId}) as read_ms,
       exists (select from ${m} where ${m.conditionId} = any(${array(conditionIds, "text")})
         and ${isUnknownCombinationSql(m)}) as has_unknown`,
    z.object({ read_ms: z.number().nullable(), has_unknown: z.boolean() }),
  );
  const readMs = state?.read_ms ?? null;
  const isLater = ({ at }: ComboActivity) => readMs === null || at.getTime() > readMs - VIEW_LAG_MS;
  const isMove = ({ moved }: ComboActivity) => moved?.type === "SPLIT" || moved?.type === "MERGE";
  const isOpen = state?.has_unknown === true || readMs === null || inCombos.some((row) => isMove(row) && isLater(row));
  return { isOpen, isDue: isOpen || inCombos.some(isLater) };
}
