import { sql } from "drizzle-orm";
import { z } from "zod";
import { m, o } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { array, integer, selectRows } from "../../db/sql.ts";
import type { MarketHint, OtherActivity } from "../../platform/provider.ts";
import type { NumberedRow } from "../feeds/row-ordinals.ts";
import type { LedgerEntry } from "../ledger/ledger-entry.ts";

const HALF_DOLLAR = "0.5";

/** The fields of a split or merge that determine its legs. */
export type SplitOrMerge = Pick<OtherActivity, "type" | "sharesMicro" | "txHash" | "happenedAt"> & {
  readonly market: Pick<MarketHint, "conditionId"> | null;
};

/** The outcomes of markets that the provider's market object describes, by condition id, in the order of their indexes. */
export type OutcomesByCondition = ReadonlyMap<string, readonly MovedOutcome[]>;

interface MovedOutcome {
  readonly market_id: number;
  readonly outcome_id: number;
}

export const isSplitOrMerge = ({ row }: NumberedRow<SplitOrMerge>): boolean =>
  row.type === "SPLIT" || row.type === "MERGE";

/** The outcomes whose shares splits and merges move; no statement without any. */
export async function listMovedOutcomes(
  session: Session,
  others: readonly NumberedRow<SplitOrMerge>[],
): Promise<OutcomesByCondition> {
  const conditionIds = [...new Set(others.filter(isSplitOrMerge).flatMap(({ row }) => row.market?.conditionId ?? []))];
  if (conditionIds.length === 0) return new Map();
  const rows = await selectRows(
    session,
    sql`select ${m.conditionId}, ${m.id} as market_id, ${o.id} as outcome_id
     from ${m} join ${o} on ${o.marketId} = ${m.id}
     where ${m.conditionId} = any(${array(conditionIds, "text")}) and ${m.hydratedAt} is not null
       and ${o.outcomeIndex} is not null
     order by ${o.outcomeIndex}`,
    z.object({ condition_id: z.string(), market_id: integer, outcome_id: integer }),
  );
  return Map.groupBy(rows, (row) => row.condition_id);
}

/**
 * The ledger legs of splits and merges. A split gives, and a merge takes, the same number of shares of every
 * outcome, at half a dollar each in a market of two outcomes. Only the provider's market object shows how
 * many outcomes a market has: trades may have named two of three.
 *
 * @returns the ledger entries, and the activity types that could not be booked because their market is not
 *   known with two outcomes
 */
export function splitAndMergeLegs(
  traderId: number,
  others: readonly NumberedRow<SplitOrMerge>[],
  outcomesOf: OutcomesByCondition,
): { entries: LedgerEntry[]; gaps: string[] } {
  const entries: LedgerEntry[] = [];
  const gaps: string[] = [];
  for (const { row, ordinal } of others.filter(isSplitOrMerge)) {
    const outcomes = outcomesOf.get(row.market?.conditionId ?? "") ?? [];
    if (outcomes.length !== 2) {
      gaps.push(row.type.toLowerCase());
      continue;
    }
    const half = row.sharesMicro / 2n;
    for (const [index, outcome] of outcomes.entries()) {
      entries.push({
        txHash: row.txHash,
        traderId,
        outcomeId: outcome.outcome_id,
        marketId: outcome.market_id,
        kind: row.type === "SPLIT" ? "split" : "merge",
        sharesMicro: row.sharesMicro,
        ordinal,
        // An odd millionth goes to the first leg, so that both legs sum to the dollars paid.
        usdMicro: index === 0 ? row.sharesMicro - half : half,
        feeMicro: null,
        price: HALF_DOLLAR,
        role: null,
        tradedAtMs: row.happenedAt.getTime(),
      });
    }
  }
  return { entries, gaps };
}
