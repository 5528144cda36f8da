import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { m, o, p, s, t } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { isCombinationSql, isHistoryKnown } from "../../db/fragments/completeness.ts";
import { isOpen } from "../../db/fragments/open-positions.ts";
import { largePositionEntries, listGenerations, positions } from "../../db/schema.ts";
import { alias, columnName, columnNames, integer, selectRow } from "../../db/sql.ts";
import { floorLowerBound } from "../../scoring/dollar-floor.ts";
import { publishEvents } from "../../events/outbox/publish-events.ts";
import { positionValue } from "../ledger/position-value.ts";
import { closeGeneration, isGenerationCurrent, openGeneration } from "./generation.ts";

const LIST = "large_positions";

// Key of the Postgres advisory lock; any number unique to this purpose.
const LARGE_POSITIONS_LOCK = 7_201_444;

/**
 * The minimum value, in micro-dollars, of a trader's open positions in one market together: 50,000 dollars.
 */
const MIN_VALUE_MICRO = floorLowerBound(50_000_000_000n);

// As literals, so that the partial index of position values applies.
const MIN_VALUE = sql.raw(String(MIN_VALUE_MICRO));
const HALF_MIN_VALUE = sql.raw(String(MIN_VALUE_MICRO / 2n));

const x = alias(positions, "x");

const VALUE = positionValue({ shares: p.sharesMicro, settled: p.settledMicro, price: o.valuedPrice });

/**
 * Graded traders whose history in ordinary markets is known, with their open positions in one market, if the
 * priced ones reach the floor together. A market has two outcomes, so one of the two positions is worth at
 * least half the floor; the query finds candidates by that. Values are at the prices shown beside them.
 * Markets whose tokens have no outcome index yet are left out, and so are combinations, whose result is
 * unknown.
 */
const POSITIONS: SQL = sql`
  select ${p.traderId}, ${p.marketId}, ${t.grade}, ${m.eventId}, ${m.category},
    sum(h.value_micro)::bigint as value_micro,
    jsonb_agg(jsonb_build_object('outcome_index', ${o.outcomeIndex}, 'outcome_label', ${o.label},
      'token_id', ${o.tokenId}, 'shares_micro', ${p.sharesMicro}::text, 'cost_micro', ${p.costMicro}::text,
      'price', ${o.valuedPrice}::text, 'value_micro', h.value_micro::text)
      order by h.value_micro desc nulls last, ${o.outcomeIndex}) as holdings
  from (
    select distinct ${positions.traderId}, ${positions.marketId} from ${positions}
    where ${positions.settledMicro} is null and ${positions.valueMicro} >= ${HALF_MIN_VALUE}
  ) candidate
  join ${t} on ${t.id} = candidate.trader_id and ${t.grade} is not null
  join ${s} on ${s.traderId} = candidate.trader_id and ${isHistoryKnown(s)}
  cross join lateral (
    select * from ${x} where ${x.marketId} = candidate.market_id and ${x.traderId} = candidate.trader_id
      and ${isOpen(x)}
    offset 0 -- One lookup per candidate: there are a few thousand among millions of positions.
  ) p
  join ${m} on ${m.id} = ${p.marketId} and not ${isCombinationSql(m.conditionId)}
  join ${o} on ${o.id} = ${p.outcomeId}
  cross join lateral (
    select ${VALUE} as value_micro
  ) h
  group by ${p.traderId}, ${p.marketId}, ${t.grade}, ${m.eventId}, ${m.category}
  having sum(h.value_micro) >= ${MIN_VALUE} and bool_and(coalesce(${o.outcomeIndex} in (0, 1), false))`;

/**
 * Rebuilds the list of large positions when anything in it has changed, and every hour in any case, because a
 * position counts for a day after it was last seen. A position of the previous generation keeps its first
 * sighting; one that left and came back counts as new.
 *
 * New positions are published as one event. The first generation publishes nothing, because its positions
 * existed before the first build. Only one build runs at a time, because two would both find the same
 * positions new; a second one returns at once.
 *
 * @returns whether a new generation was built
 */
export async function buildLargePositions(session: Session): Promise<boolean> {
  const lock = await selectRow(
    session,
    sql`select pg_try_advisory_xact_lock(${sql.raw(String(LARGE_POSITIONS_LOCK))}) as taken`,
    z.object({ taken: z.boolean() }),
  );
  if (lock?.taken !== true) return false;
  const { input, previous } = await readInput(session);
  if (await isGenerationCurrent(session, LIST, input)) return false;
  const generation = await openGeneration(session, LIST, { input });
  const { rows, fresh } = await writeEntries(session, generation, previous);
  if (previous !== null && fresh > 0)
    await publishEvents(session, [{ type: "large_positions_updated", payload: { count: fresh } }]);
  await closeGeneration(session, LIST, generation, rows);
  return true;
}

const Input = z.object({ input: z.string(), previous: integer.nullable() });

/** A digest of the list and the hour, and the previous generation. */
async function readInput(session: Session): Promise<z.output<typeof Input>> {
  const row = await selectRow(
    session,
    sql`select date_trunc('hour', now())::text || ' '
       || md5(coalesce(string_agg(p::text, ';' order by trader_id, market_id), '')) as input,
       (select max(${listGenerations.id}) from ${listGenerations} where ${listGenerations.list} = ${LIST}) as previous
     from (${POSITIONS}) p`,
    Input,
  );
  if (row === null) throw new Error("the digest of large positions returned no row");
  return row;
}

const entries = largePositionEntries;
const before = alias(largePositionEntries, "before");

const COLUMNS = columnNames(
  entries.generation,
  entries.rank,
  entries.traderId,
  entries.marketId,
  entries.eventId,
  entries.grade,
  entries.category,
  entries.valueMicro,
  entries.holdings,
  entries.firstSeenAt,
  entries.lastSeenAt,
  entries.updatedAt,
);

const Written = z.object({ rows: integer, fresh: integer });

async function writeEntries(
  session: Session,
  generation: number,
  previous: number | null,
): Promise<z.output<typeof Written>> {
  const row = await selectRow(
    session,
    sql`with written as (
       insert into ${entries} (${COLUMNS})
       select ${generation}, row_number() over (order by p.value_micro desc, p.trader_id, p.market_id),
         p.trader_id, p.market_id, p.event_id, p.grade,
         p.category, p.value_micro, p.holdings, coalesce(${before.firstSeenAt}, now()), now(),
         case when ${before.holdings} = p.holdings then ${before.updatedAt} else now() end
       from (${POSITIONS}) p
       left join ${before} on ${before.generation} = ${previous} and ${before.traderId} = p.trader_id
         and ${before.marketId} = p.market_id
       returning ${columnName(entries.firstSeenAt)}
     )
     select count(*) as rows, count(*) filter (where first_seen_at = now()) as fresh from written`,
    Written,
  );
  if (row === null) throw new Error("the statement that writes large positions returned no row");
  return row;
}
