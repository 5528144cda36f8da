import type { Session } from "../db/client.ts";
import type { MarketHint, OtherActivity } from "../ports/provider.ts";
import type { Numbered } from "./identity.ts";
import type { Entry } from "./ledger/entry.ts";

const HALF_DOLLAR = "0.5";

/** What of a split or merge tells its legs. */
export type SplitOrMerge = Pick<OtherActivity, "type" | "sharesMicro" | "txHash" | "happenedAt"> & {
  readonly market: Pick<MarketHint, "conditionId"> | null;
};

/**
 * A split gives, and a merge takes, the same number of shares of every outcome, at half a dollar each in a market of two. Only the provider's own
 * object of a market says how many it has: trades may have named two of three.
 *
 * @returns the ledger entries, and the kinds of activity that could not be booked because their market is not known with two outcomes
 */
export async function splitAndMergeLegs(
  session: Session,
  traderId: number,
  others: readonly Numbered<SplitOrMerge>[],
): Promise<{ entries: Entry[]; gaps: string[] }> {
  const moves = others.filter(({ row }) => row.type === "SPLIT" || row.type === "MERGE");
  if (moves.length === 0) return { entries: [], gaps: [] };
  const conditionIds = [...new Set(moves.flatMap(({ row }) => row.market?.conditionId ?? []))];
  const { rows } = await session.query<{ condition_id: string; market_id: string; outcome_id: string }>(
    `select m.condition_id, m.id as market_id, o.id as outcome_id
     from markets m join outcomes o on o.market_id = m.id
     where m.condition_id = any($1::text[]) and m.hydrated_at is not null and o.outcome_index is not null
     order by o.outcome_index`,
    [conditionIds],
  );
  const outcomesOf = Map.groupBy(rows, (row) => row.condition_id);
  const entries: Entry[] = [];
  const gaps: string[] = [];
  for (const { row, ordinal } of moves) {
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
        outcomeId: Number(outcome.outcome_id),
        marketId: Number(outcome.market_id),
        kind: row.type === "SPLIT" ? "split" : "merge",
        sharesMicro: row.sharesMicro,
        ordinal,
        // An odd millionth goes to the first, so that both together are what was paid.
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
