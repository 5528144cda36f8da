import type { Session } from "../../db/client.ts";
import { isCombination, isHistoryKnown } from "../../db/completeness.ts";
import { leastReaching } from "../../scoring/dollar-floor.ts";
import { publish } from "../outbox.ts";
import { positionValue } from "../values/position-value.ts";
import { closeGeneration, isCurrent, openGeneration } from "./generation.ts";

const LIST = "large_positions";

// Any number unique to this purpose.
const LARGE_POSITIONS_LOCK = 7_201_444;

/** The least, in micro-dollars, that a wallet's open holdings in one market are worth together: 50,000 dollars. */
const LEAST_MICRO = leastReaching(50_000_000_000n);

/**
 * Graded wallets whose history in ordinary markets is known, with their open holdings in one market, where those that have a price reach the floor. A market
 * has two outcomes, so one of the two holdings is worth half the floor: that is how they are found. Values are at the prices shown beside them.
 * A market whose tokens are not yet told apart is left out, and so is a combination, whose result is not known.
 */
const POSITIONS = `
  select p.trader_id, p.market_id, t.grade, m.event_id, m.category, sum(h.value_micro)::bigint as value_micro,
    jsonb_agg(jsonb_build_object('outcome_index', o.outcome_index, 'outcome_label', o.label, 'token_id', o.token_id,
      'shares_micro', p.shares_micro::text, 'cost_micro', p.cost_micro::text, 'price', o.valued_price::text, 'value_micro', h.value_micro::text)
      order by h.value_micro desc nulls last, o.outcome_index) as holdings
  from (
    select distinct trader_id, market_id from positions where settled_micro is null and value_micro >= ${LEAST_MICRO / 2n}
  ) likely
  join traders t on t.id = likely.trader_id and t.grade is not null
  join wallet_syncs s on s.trader_id = likely.trader_id and ${isHistoryKnown("s")}
  cross join lateral (
    select * from positions x where x.market_id = likely.market_id and x.trader_id = likely.trader_id and x.settled_micro is null and x.shares_micro > 0
    offset 0 -- A look-up each: there are a few thousand likely ones among millions of positions.
  ) p
  join markets m on m.id = p.market_id and not ${isCombination("m.condition_id")}
  join outcomes o on o.id = p.outcome_id
  cross join lateral (
    select ${positionValue({ shares: "p.shares_micro", settled: "p.settled_micro", price: "o.valued_price" })} as value_micro
  ) h
  group by p.trader_id, p.market_id, t.grade, m.event_id, m.category
  having sum(h.value_micro) >= ${LEAST_MICRO} and bool_and(coalesce(o.outcome_index in (0, 1), false))`;

/**
 * Rebuilds the list of large positions when anything in it has changed, and each hour in any case: a position counts for a day after it was
 * last seen. What the generation before had keeps its first sighting; one that left and came back is seen anew.
 *
 * Positions that the generation before did not have are announced, one event for all. The first generation announces nothing: what it finds
 * was there before anybody looked. One builds at a time: two would both find the same positions new. Who comes second leaves it to the first.
 *
 * @returns whether a new generation was built
 */
export async function buildLargePositions(session: Session): Promise<boolean> {
  const { rows: locks } = await session.query<{ taken: boolean }>(`select pg_try_advisory_xact_lock(${LARGE_POSITIONS_LOCK}) as taken`);
  if (locks[0]?.taken !== true) return false;
  const { rows: digests } = await session.query<{ input: string; previous: string | null }>(
    `select date_trunc('hour', now())::text || ' ' || md5(coalesce(string_agg(p::text, ';' order by trader_id, market_id), '')) as input,
       (select max(id) from list_generations where list = '${LIST}') as previous
     from (${POSITIONS}) p`,
  );
  const { input = "", previous = null } = digests[0] ?? {};
  if (await isCurrent(session, LIST, input)) return false;
  const generation = await openGeneration(session, LIST, { input });
  const { rows } = await session.query<{ rows: string; fresh: string }>(
    `with written as (
       insert into large_position_entries
         (generation, rank, trader_id, market_id, event_id, grade, category, value_micro, holdings, first_seen_at, last_seen_at, updated_at)
       select $1, row_number() over (order by p.value_micro desc, p.trader_id, p.market_id), p.trader_id, p.market_id, p.event_id, p.grade,
         p.category, p.value_micro, p.holdings, coalesce(before.first_seen_at, now()), now(),
         case when before.holdings = p.holdings then before.updated_at else now() end
       from (${POSITIONS}) p
       left join large_position_entries before
         on before.generation = $2 and before.trader_id = p.trader_id and before.market_id = p.market_id
       returning first_seen_at
     )
     select count(*) as rows, count(*) filter (where first_seen_at = now()) as fresh from written`,
    [generation, previous],
  );
  const fresh = Number(rows[0]?.fresh);
  if (previous !== null && fresh > 0) await publish(session, [{ type: "large_positions_updated", payload: { count: fresh } }]);
  await closeGeneration(session, LIST, generation, Number(rows[0]?.rows));
  return true;
}
