import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { l, m, o, t } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { hasTwoOutcomes } from "../../db/fragments/binary-market.ts";
import { isCombinationSql } from "../../db/fragments/completeness.ts";
import { flowEntries, listGenerations } from "../../db/schema.ts";
import { columnNames, integer, selectRow } from "../../db/sql.ts";
import { FLOW_WINDOW_HOURS, type FlowWindow } from "../../domain/markets/flow-windows.ts";
import { closeGeneration, isGenerationCurrent, openGeneration } from "../read-models/generation.ts";
import { publishFlowAlerts } from "./flow-alerts.ts";

// Key of the Postgres advisory lock; any number unique to this purpose.
const FLOWS_LOCK = 7_201_443;

/**
 * The dollars that the traders of each grade moved through each market in the last `hours`, from large
 * trades, by the trader's current grade (test/support/oracles/market-flow.ts computes the same from rows). A trader has
 * one grade, so the figures and trader counts of the grades add up. Combinations of markets are left out.
 */
const selectFlows = (hours: number): SQL => sql`
  select market_id, grade, sum(case when (side = 'BUY') = (outcome_index = 0) then size_usd_micro
    else -size_usd_micro end)::bigint as net_micro,
    coalesce(sum(size_usd_micro) filter (where side = 'BUY'), 0)::bigint as buy_micro,
    coalesce(sum(size_usd_micro) filter (where side = 'SELL'), 0)::bigint as sell_micro,
    count(*)::int as trade_count, count(distinct trader_id)::int as wallet_count
  from (
    select ${l.marketId}, ${l.traderId}, ${l.side}, ${l.sizeUsdMicro}, coalesce(${t.grade}, '') as grade,
      ${o.outcomeIndex}
    from ${l} join ${t} on ${t.id} = ${l.traderId} join ${o} on ${o.id} = ${l.outcomeId}
      join ${m} on ${m.id} = ${l.marketId} and not ${isCombinationSql(m.conditionId)}
    where ${l.tradedAt} > now() - make_interval(hours => ${hours}::int) and ${l.tradedAt} <= now()
      and ${o.outcomeIndex} in (0, 1) and ${hasTwoOutcomes(l.marketId)}
  ) directed
  group by market_id, grade`;

/** The columns of `flow_entries` that `selectFlows` gives. */
const FLOW_COLUMNS: SQL = columnNames(
  flowEntries.marketId,
  flowEntries.grade,
  flowEntries.netMicro,
  flowEntries.buyMicro,
  flowEntries.sellMicro,
  flowEntries.tradeCount,
  flowEntries.walletCount,
);

/**
 * Rebuilds the flows of one window when they have changed: trades were added or left the window, or a trader
 * got another grade. Otherwise the current generation stays. Flows that have crossed the threshold are
 * published with the new generation.
 *
 * Only one build runs at a time, because two would both find the same crossing. A second one returns at once;
 * the running build reads data that is equally new.
 *
 * @returns whether a new generation was built
 */
export async function buildFlows(session: Session, window: FlowWindow): Promise<boolean> {
  const list = `flows:${window}`;
  const hours = FLOW_WINDOW_HOURS[window];
  if (!(await tryLockFlows(session))) return false;
  const input = await digestFlows(session, hours);
  if (await isGenerationCurrent(session, list, input)) return false;
  const since = await findFirstBuildTime(session, list);
  const generation = await openGeneration(session, list, { input, since });
  await closeGeneration(session, list, generation, await writeFlows(session, generation, hours));
  await publishFlowAlerts(session, window, generation, since);
  return true;
}

/** @returns whether this transaction has the lock; false when another one has it */
async function tryLockFlows(session: Session): Promise<boolean> {
  const lock = await selectRow(
    session,
    sql`select pg_try_advisory_xact_lock(${FLOWS_LOCK}) as taken`,
    z.object({ taken: z.boolean() }),
  );
  return lock?.taken === true;
}

async function digestFlows(session: Session, hours: number): Promise<string> {
  const row = await selectRow(
    session,
    sql`with flows as (${selectFlows(hours)})
     select md5(coalesce(string_agg(flows::text, ';' order by market_id, grade), '')) as digest from flows`,
    z.object({ digest: z.string() }),
  );
  return row?.digest ?? "";
}

/** @returns the number of markets with a flow */
async function writeFlows(session: Session, generation: number, hours: number): Promise<number> {
  const row = await selectRow(
    session,
    sql`with flows as (${selectFlows(hours)}), written as (
       insert into ${flowEntries} (${columnNames(flowEntries.generation)}, ${FLOW_COLUMNS})
       select ${generation}, ${FLOW_COLUMNS} from flows
       returning ${flowEntries.marketId}
     )
     select count(distinct market_id) as markets from written`,
    z.object({ markets: integer }),
  );
  return row?.markets ?? 0;
}

/**
 * When the first generation of the list was built, ISO with microseconds. Each generation copies it from the
 * previous one; the current time if there is none.
 */
async function findFirstBuildTime(session: Session, list: string): Promise<string> {
  const row = await selectRow(
    session,
    sql`select coalesce((select ${listGenerations.detail} ->> 'since' from ${listGenerations}
         where ${listGenerations.list} = ${list} order by ${listGenerations.id} desc limit 1),
       to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) as since`,
    z.object({ since: z.string() }),
  );
  if (row === null) throw new Error(`the first build time of ${list} could not be read`);
  return row.since;
}
