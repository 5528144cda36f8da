import type { Pool } from "@neondatabase/serverless";

/** Markets of one turn. Eight calls for the first, two for the second, of the 200 in ten seconds that this process makes of their kind. */
const UNRESOLVED_A_TURN = 160;
const SETTLED_A_TURN = 40;
/** The provider's edge keeps a market object for five minutes, but by address: other conditions asked for beside it make another address. */
const REDESCRIBE_SECONDS = 60;

export interface DueMarket {
  readonly id: string;
  readonly conditionId: string;
  /** Whether its object may say something new: it closes about when the result comes, and a settled market may be described otherwise. */
  readonly mayBeRedescribed: boolean;
  /** Tokens whose books are worth asking for: the market has ended and is not known to be closed. */
  readonly tokenIds: readonly string[];
}

/** The markets whose results are due, those without one first, the longest due first. */
export async function listDueResults(pool: Pool, now: Date): Promise<readonly DueMarket[]> {
  const due = (predicate: string, limit: number) =>
    `(select * from markets where payouts_ppm is ${predicate} and result_due_at <= $1 order by result_due_at limit ${limit})`;
  const { rows } = await pool.query<{ id: string; condition_id: string; redescribed: boolean; token_ids: string[] }>(
    `select m.id, m.condition_id, not m.closed or m.payouts_ppm is not null as redescribed,
       case when m.payouts_ppm is null and not m.closed and m.end_at <= $1
         then array(select token_id from outcomes o where o.market_id = m.id and o.outcome_index is not null order by id) else '{}' end as token_ids
     from (${due("null", UNRESOLVED_A_TURN)} union all ${due("not null", SETTLED_A_TURN)}) m order by m.payouts_ppm is not null, m.result_due_at`,
    [now.toISOString()],
  );
  return rows.map((row) => ({ id: row.id, conditionId: row.condition_id, mayBeRedescribed: row.redescribed, tokenIds: row.token_ids }));
}

/** Puts off markets of which the provider could not be asked, so that they do not hold up the others. */
export async function putOffResults(pool: Pool, conditionIds: readonly string[], until: Date): Promise<void> {
  await pool.query(`update markets set result_due_at = $2 where condition_id = any($1::text[])`, [conditionIds, until.toISOString()]);
}

/** Takes those of the markets whose object has not been read again in the last minute. @returns their condition ids */
export async function takeToDescribe(pool: Pool, markets: readonly DueMarket[]): Promise<string[]> {
  const { rows } = await pool.query<{ condition_id: string }>(
    `update markets set hydrate_enqueued_at = now()
     where id = any($1::bigint[])
       and (hydrate_enqueued_at is null or hydrate_enqueued_at < now() - make_interval(secs => ${REDESCRIBE_SECONDS}))
     returning condition_id`,
    [markets.map(({ id }) => id)],
  );
  return rows.map((row) => row.condition_id);
}
