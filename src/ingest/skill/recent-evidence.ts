import { sql } from "drizzle-orm";
import { z } from "zod";
import { m } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { skillMarkets } from "../../db/schema.ts";
import { array, isoText, selectRows } from "../../db/sql.ts";
import { evidenceOfClusters, type SkillEvidence } from "../../scoring/skill/evidence.ts";
import { RECENT_DAYS } from "../../scoring/skill/parameters.ts";
import { CLUSTER_KEY, CLUSTER_SUMS, SumsRow, toSums } from "./market-sums.ts";

export interface RecentEvidence {
  readonly evidence: SkillEvidence;
  /** When the first of its markets stops being recent, ISO. */
  readonly until: string;
}

/**
 * The evidence of the markets whose results counted on one of the last RECENT_DAYS days before the transaction's day (UTC),
 * or on that day. By trader id; a trader without any is left out. It reads all markets of these traders.
 */
export async function loadRecentEvidence(
  session: Session,
  traderIds: readonly string[],
): Promise<Map<string, RecentEvidence>> {
  if (traderIds.length === 0) return new Map();
  const today = sql`(now() at time zone 'UTC')::date`;
  const until = sql`(min(${m.settledOn}) + ${RECENT_DAYS + 1}::int)::timestamp at time zone 'UTC'`;
  const rows = await selectRows(
    session,
    sql`select ${CLUSTER_SUMS}, ${isoText(until)} as until
     from ${skillMarkets} join ${m} on ${m.id} = ${skillMarkets.marketId}
     where ${skillMarkets.traderId} = any(${array(traderIds, "bigint")}) and ${m.settledOn} >= ${today} - ${RECENT_DAYS}::int
     group by ${CLUSTER_KEY}`,
    SumsRow.extend({ until: z.string() }),
  );
  const byTrader = Map.groupBy(rows, (row) => String(row.trader_id));
  return new Map(
    [...byTrader].map(([traderId, own]) => [
      traderId,
      {
        evidence: evidenceOfClusters(
          own.map(toSums).map((sums) => ({ sums, story: sums.story === 0 ? null : sums.story })),
        ),
        until: own.reduce((first, { until: next }) => (next < first ? next : first), own[0]?.until ?? ""),
      },
    ]),
  );
}
