import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { a, e, m } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { isCombinationSql } from "../../db/fragments/completeness.ts";
import { comboEvents } from "../../db/schema.ts";
import { alias, bigintText, epochMs, integer, selectRow, selectRows } from "../../db/sql.ts";

const event = alias(comboEvents, "event");

/** The transaction of an event, the part of its id before the log index. */
const TX: SQL = sql`split_part(${event.providerId}, '-', 1)`;
const TX_BYTES: SQL = sql`decode(substr(${TX}, 3), 'hex')`;

/**
 * SQL condition: the event is booked. A split or merge has entries in its combo. A move has an entry that takes
 * or gives shares of it; both entries of a move are booked together.
 */
const IS_BOOKED: SQL = sql`exists (select from ${e}
  where ${e.txHash} = ${TX_BYTES} and ${e.traderId} = ${event.traderId} and ${e.marketId} = ${event.marketId}
    and ${e.ordinal} = ranked.ordinal
    and case when ${event.kind} in ('split', 'merge') then ${e.kind} = ${event.kind}
      else ${e.kind} in ('convert_in', 'convert_out') end)`;

const PendingEvent = z.object({
  id: integer,
  kind: z.enum(["split", "merge", "convert", "compress", "wrap", "unwrap"]),
  market_id: integer,
  condition_id: z.string(),
  outcome_index: z.union([z.literal(0), z.literal(1)]).nullable(),
  amount_micro: bigintText.nullable(),
  shares_micro: bigintText.nullable(),
  tx: z.string(),
  ordinal: integer,
  happened_ms: z.number(),
});

export type PendingEvent = z.output<typeof PendingEvent>;

/**
 * The trader's events that change positions and have no ledger entry, oldest first. `ordinal` counts events of
 * one kind and combo in a transaction. Redemptions need no entry: the settlement of the combo books them.
 */
export const listPendingEvents = (session: Session, traderId: number): Promise<PendingEvent[]> =>
  selectRows(
    session,
    sql`select ${event.id}, ${event.kind}, ${event.marketId}, ${m.conditionId}, ${event.outcomeIndex},
       ${event.amountMicro}, ${event.sharesMicro}, ${TX} as tx, ranked.ordinal,
       ${epochMs(event.happenedAt)} as happened_ms
     from (
       select ${event.id}, row_number() over (
         partition by ${TX}, ${event.marketId},
           case when ${event.kind} in ('split', 'merge') then ${event.kind} else 'move' end
         order by ${event.logIndex}) - 1 as ordinal
       from ${event} where ${event.traderId} = ${traderId} and ${event.kind} <> 'redeem'
     ) ranked
     join ${event} on ${event.id} = ranked.id
     join ${m} on ${m.id} = ${event.marketId}
     where not ${IS_BOOKED}
     order by ${event.blockNumber}, ${event.logIndex}`,
    PendingEvent,
  );

/**
 * Whether the trader's activity has a split or merge of a combo that its combo activity does not have. Only the
 * combo activity is booked, so such a row is missing from positions.
 */
export async function hasUnmatchedSplits(session: Session, traderId: number): Promise<boolean> {
  const row = await selectRow(
    session,
    sql`select exists (
       select from ${a}
       where ${a.traderId} = ${traderId} and ${a.type} in ('SPLIT', 'MERGE') and ${isCombinationSql(a.conditionId)}
         and not exists (
           select from ${event} join ${m} on ${m.id} = ${event.marketId}
           where ${event.traderId} = ${a.traderId} and ${event.kind} = lower(${a.type})
             and ${event.happenedAt} = ${a.happenedAt} and ${m.conditionId} = ${a.conditionId}
             and ${TX_BYTES} = ${a.txHash})
     ) as unmatched`,
    z.object({ unmatched: z.boolean() }),
  );
  return row?.unmatched ?? false;
}
