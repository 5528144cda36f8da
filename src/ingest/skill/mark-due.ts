import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { e, ev, m, o } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { isCombinationSql } from "../../db/fragments/completeness.ts";
import { skillDue, traderSkill } from "../../db/schema.ts";
import { array, columnName, columnNames, run, selectRows } from "../../db/sql.ts";
import { toBytea, type LedgerEntry } from "../ledger/ledger-entry.ts";

/** A market that is due for more traders than this is due for all. */
const MAX_NAMED_TRADERS = 1_000;

/*
 * A market becomes due in the transaction that changes its bets. `since` only increases: a reader of the bets
 * detects by it that they have changed meanwhile, and leaves the market due. `trader_ids` only grows, until
 * the market is due for all traders, which is null.
 */
const MARK: SQL = sql`on conflict (${columnNames(skillDue.marketId)}) do update
  set ${columnName(skillDue.since)} = greatest(clock_timestamp(), ${skillDue.since} + interval '1 microsecond'),
  ${columnName(skillDue.traderIds)} = case
    when excluded.${columnName(skillDue.traderIds)} is not null
      and cardinality(${skillDue.traderIds}) < ${MAX_NAMED_TRADERS}
    then ${skillDue.traderIds} || excluded.${columnName(skillDue.traderIds)} end`;

/**
 * Marks markets whose settlement was added, changed or withdrawn. A market without trades has no bets to
 * score.
 */
export async function markSettled(session: Session, marketIds: readonly string[]): Promise<void> {
  if (marketIds.length === 0) return;
  await run(
    session,
    sql`insert into ${skillDue} (${columnNames(skillDue.marketId)})
     select ${m.id} from ${m} where ${m.id} = any(${array(marketIds, "bigint")})
       and exists (select from ${e} where ${e.marketId} = ${m.id})
     order by ${m.id} ${MARK}`,
  );
}

/**
 * Marks settled markets with new fills, or fills newly known to be a taker's, as due: for the buyers of their
 * transactions, because a known taker makes all others makers. Only purchases are bets, and combos are not graded. A fill
 * from before the kickoff marks its market in any case, because it may move the close. Call it after the fills are written.
 */
export async function markFilled(
  session: Session,
  filled: readonly Pick<LedgerEntry, "kind" | "marketId" | "txHash" | "role" | "tradedAtMs">[],
): Promise<void> {
  if (filled.length === 0) return;
  const marketIds = filled.map(({ marketId }) => marketId);
  const hashes = filled.map(({ txHash }) => toBytea(txHash));
  const areBets = filled.map(({ kind, role }) => kind === "buy" || role === "taker");
  const times = filled.map(({ tradedAtMs }) => new Date(tradedAtMs).toISOString());
  await run(
    session,
    sql`insert into ${skillDue} (${columnNames(skillDue.marketId, skillDue.traderIds)})
     select ${m.id}, coalesce(array_agg(distinct bought.trader_id) filter (where bought.trader_id is not null), '{}')
     from unnest(${array(marketIds, "bigint")}, ${array(hashes, "bytea")}, ${array(areBets, "boolean")},
       ${array(times, "timestamptz")}) as filled(market_id, tx_hash, is_bet, traded_at)
     join ${m} on ${m.id} = filled.market_id and ${m.payoutsPpm} is not null
       and not ${isCombinationSql(m.conditionId)}
     -- One index lookup per fill (offset 0 keeps the join apart): with a plain join the whole ledger is scanned.
     left join lateral (
       select ${e.traderId} from ${e}
       where ${e.txHash} = filled.tx_hash and ${e.marketId} = ${m.id} and ${e.kind} = 'buy' offset 0
     ) bought on filled.is_bet
     where bought.trader_id is not null or filled.traded_at < ${m.gameStartAt}
     group by ${m.id} order by ${m.id} ${MARK}`,
  );
}

/**
 * The facts of settled markets, apart from payouts, that their bets depend on: the event with its series and scheduled end,
 * the kickoff, and the index of each outcome. By market id.
 */
export type BetShapes = ReadonlyMap<string, string>;

/** What a page of the provider's market objects describes. */
export interface Described {
  readonly conditionIds: readonly string[];
  readonly eventSlugs: readonly string[];
}

/** Of these markets, and of all others of these events: series and end are facts of the event. */
export async function readBetShapes(session: Session, { conditionIds, eventSlugs }: Described): Promise<BetShapes> {
  const rows = await selectRows(
    session,
    sql`select ${m.id}, concat_ws(' ', coalesce(${m.eventId}, -${m.id}), ${ev.seriesSlug},
         extract(epoch from ${ev.endAt}), '/', extract(epoch from ${m.gameStartAt}),
       (select string_agg(concat(${o.id}, ':', ${o.outcomeIndex}), ' ' order by ${o.id}) from ${o}
         where ${o.marketId} = ${m.id})) as shape
     from ${m} left join ${ev} on ${ev.id} = ${m.eventId}
     where ${m.id} in (
       select ${m.id} from ${m} where ${m.conditionId} = any(${array(conditionIds, "text")})
       union all
       select ${m.id} from ${m} join ${ev} on ${ev.id} = ${m.eventId} where ${ev.slug} = any(${array(eventSlugs, "text")})
     ) and ${m.payoutsPpm} is not null`,
    z.object({ id: z.string(), shape: z.string() }),
  );
  return new Map(rows.map(({ id, shape }) => [id, shape]));
}

/** Marks settled markets whose event, story, kickoff or outcome indexes have changed. */
export async function markReshaped(session: Session, before: BetShapes, after: BetShapes): Promise<void> {
  await markSettled(
    session,
    [...after].filter(([id, shape]) => before.get(id) !== shape).map(([id]) => id),
  );
}

/**
 * Makes the traders due for grading whose evidence of some market is no longer recent: an index has the time of the next
 * one for each. Traders that another transaction has locked are due the next time.
 */
export async function markNoLongerRecent(session: Session): Promise<void> {
  await run(
    session,
    sql`update ${traderSkill} set ${columnName(traderSkill.isDue)} = true, ${columnName(traderSkill.recentUntil)} = null
     where ${traderSkill.traderId} in (
       select ${traderSkill.traderId} from ${traderSkill} where ${traderSkill.recentUntil} <= now()
       order by ${traderSkill.traderId} for update skip locked)`,
  );
}
