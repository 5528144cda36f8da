import type { Session } from "../../db/client.ts";
import type { Entry } from "../ledger/entry.ts";

/** A market that is due for more wallets is due for all. */
const MOST_NAMED = 1_000;

/*
 * A market is due from the transaction that changes what its bets are. `since` only grows: whoever reads the bets meanwhile sees by it that
 * they are old already, and leaves the market due. So do the wallets, until it is due for all, which is null.
 */
const MARK = `on conflict (market_id) do update set since = greatest(clock_timestamp(), skill_due.since + interval '1 microsecond'),
  trader_ids = case when excluded.trader_ids is not null and cardinality(skill_due.trader_ids) < ${MOST_NAMED}
    then skill_due.trader_ids || excluded.trader_ids end`;

/** Markets that have settled, settled otherwise, or are unsettled again. Where nobody has traded yet there are no bets to read. */
export async function markSettled(session: Session, marketIds: readonly string[]): Promise<void> {
  if (marketIds.length === 0) return;
  await session.query(
    `insert into skill_due (market_id)
     select id from markets m where id = any($1::bigint[]) and exists (select from ledger_entries e where e.market_id = m.id)
     order by id ${MARK}`,
    [marketIds],
  );
}

/** Settled markets that have just got fills not recorded before, for the wallets that made them. Only purchases are bets. */
export async function markFilled(session: Session, fresh: readonly Pick<Entry, "kind" | "marketId" | "traderId">[]): Promise<void> {
  const bought = fresh.filter(({ kind }) => kind === "buy");
  if (bought.length === 0) return;
  await session.query(
    `insert into skill_due (market_id, trader_ids)
     select m.id, array_agg(distinct t.trader_id) from unnest($1::bigint[], $2::bigint[]) as t(market_id, trader_id)
     join markets m on m.id = t.market_id and m.payouts_ppm is not null
     group by m.id order by m.id ${MARK}`,
    [bought.map(({ marketId }) => marketId), bought.map(({ traderId }) => traderId)],
  );
}

/** What of settled markets their bets depend on besides payouts: the event, and which outcome is which. By market id. */
export type BetShapes = ReadonlyMap<string, string>;

export async function readBetShapes(session: Session, conditionIds: readonly string[]): Promise<BetShapes> {
  const { rows } = await session.query<{ id: string; shape: string }>(
    `select m.id, concat_ws(' ', coalesce(m.event_id, -m.id),
       (select string_agg(concat(o.id, ':', o.outcome_index), ' ' order by o.id) from outcomes o where o.market_id = m.id)) as shape
     from markets m where m.condition_id = any($1::text[]) and m.payouts_ppm is not null`,
    [conditionIds],
  );
  return new Map(rows.map(({ id, shape }) => [id, shape]));
}

/** Settled markets that now belong to another event, or whose outcomes are others. */
export async function markReshaped(session: Session, conditionIds: readonly string[], before: BetShapes): Promise<void> {
  const after = await readBetShapes(session, conditionIds);
  await markSettled(
    session,
    [...after].filter(([id, shape]) => before.get(id) !== shape).map(([id]) => id),
  );
}
