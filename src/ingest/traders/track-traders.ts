import { sql } from "drizzle-orm";
import { s, t } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { constantStatement } from "../../db/constant-statement.ts";
import { traders, traderSyncs } from "../../db/schema.ts";
import { columnName, run } from "../../db/sql.ts";
import { WARM_MIN_FILL_USD } from "../../domain/traders/tracking.ts";
import { reachesFloor, toMicro } from "../../scoring/dollar-floor.ts";

interface RaisedTraders {
  readonly ids: readonly number[];
  readonly tier: "hot" | "warm";
}

const RAISE = constantStatement<RaisedTraders>((parameters) => {
  const ids = parameters.array((raised) => raised.ids, "bigint");
  const tier = parameters.value((raised) => raised.tier);
  return sql`with raised as (
       update ${traders} set ${columnName(traders.tier)} = ${tier}
       where ${traders.id} = any(${ids}) and ${traders.tier} <> ${tier} and ${traders.tier} <> 'hot'
       returning ${traders.id}
     ), rescheduled as (
       update ${s} set ${columnName(s.dueAt)} = least(${s.dueAt}, now()) from raised where ${s.traderId} = raised.id
     )
     insert into ${traderSyncs} (${columnName(traderSyncs.traderId)}) select unnest(${ids})
     on conflict (${columnName(traderSyncs.traderId)}) do nothing`;
});

/**
 * Raises traders to a tier (never lowers them). Makes the activity of raised traders, and of those that were
 * not tracked before, due for a sync.
 */
export async function trackTraders(
  session: Session,
  traderIds: readonly number[],
  tier: "hot" | "warm",
): Promise<void> {
  if (traderIds.length > 0) await run(session, RAISE({ ids: [...new Set(traderIds)], tier }));
}

const REWARM = constantStatement<readonly number[]>(
  (parameters) => sql`with raised as (
       update ${t} set ${columnName(t.tier)} = 'warm' from ${s}
       where ${t.id} = any(${parameters.array((ids) => ids, "bigint")}) and ${t.tier} = 'cold' and ${s.traderId} = ${t.id}
       returning ${t.id}
     )
     update ${s} set ${columnName(s.dueAt)} = least(${s.dueAt}, now()) from raised where ${s.traderId} = raised.id`,
);

/**
 * Moves tracked cold traders back to the warm tier. The stored history of a cold trader is complete only
 * while the trader is inactive.
 */
export async function rewarmTraders(session: Session, traderIds: readonly number[]): Promise<void> {
  await run(session, REWARM([...new Set(traderIds)]));
}

/** The traders with a fill large enough for tracking. */
export function tradersToWarm(fills: readonly { traderId: number; usdMicro: bigint }[]): number[] {
  return fills.filter((fill) => reachesFloor(fill.usdMicro, toMicro(WARM_MIN_FILL_USD))).map((fill) => fill.traderId);
}
