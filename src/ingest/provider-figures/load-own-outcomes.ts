import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { a, e, m, o, p, s } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { bigintText, selectRows } from "../../db/sql.ts";
import type { OwnOutcome } from "../../scoring/pnl-correction.ts";

const Row = z.object({
  token_id: z.string(),
  condition_id: z.string(),
  open_shares: bigintText,
  cost: bigintText,
  realized: bigintText,
  settled: bigintText.nullable(),
  value: bigintText.nullable(),
  unmatched: bigintText,
  movements: z.number(),
  additions: z.number(),
  added: bigintText,
  removed: bigintText,
  is_followed: z.boolean(),
  is_redeemed: z.boolean(),
});

export interface OwnMarketOutcome {
  readonly conditionId: string;
  readonly outcome: OwnOutcome;
  readonly isFollowed: boolean;
  readonly isRedeemed: boolean;
}

/**
 * Every outcome in which a trader ever had a position, from our ledger, as of one moment. `isFollowed` is
 * false for a market in which the trader converted (the provider prices those legs differently), and for a
 * market with activity that the sync could not book in it or in another market of its event.
 */
export async function loadOwnOutcomes(session: Session, traderId: number): Promise<OwnMarketOutcome[]> {
  const rows = await selectRows(session, selectOwnOutcomes(traderId), Row);
  return rows.map((row) => ({
    conditionId: row.condition_id,
    isFollowed: row.is_followed,
    isRedeemed: row.is_redeemed,
    outcome: {
      tokenId: row.token_id,
      openSharesMicro: row.open_shares,
      costMicro: row.cost,
      realizedMicro: row.realized,
      settledMicro: row.settled,
      valueMicro: row.value,
      unmatchedSharesMicro: row.unmatched,
      entries: row.movements,
      additions: row.additions,
      addedSharesMicro: row.added,
      removedSharesMicro: row.removed,
    },
  }));
}

const ADDITIONS = sql`('buy', 'split', 'convert_in')`;

const selectOwnOutcomes = (traderId: number): SQL =>
  sql`with moves as (
     select ${e.outcomeId}, ${e.marketId}, count(*)::int as movements,
       count(*) filter (where ${e.kind} in ${ADDITIONS})::int as additions,
       coalesce(sum(${e.sharesMicro}) filter (where ${e.kind} in ${ADDITIONS}), 0) as added,
       coalesce(sum(${e.sharesMicro}) filter (where ${e.kind} not in ${ADDITIONS}), 0) as removed,
       bool_or(${e.kind} in ('convert_in', 'convert_out')) as converted
     from ${e} where ${e.traderId} = ${traderId} group by ${e.outcomeId}, ${e.marketId}
   ), unbooked as (
     select ${m.id}, ${m.eventId} from ${s}
     join ${a} on ${a.traderId} = ${s.traderId} and lower(${a.type}) = any(${s.gaps})
     join ${m} on ${m.conditionId} = ${a.conditionId}
     where ${s.traderId} = ${traderId}
   ), unfollowed as (
     select market_id as id from moves where converted
     union select id from unbooked
     union select ${m.id} from unbooked u join ${m} on ${m.eventId} = u.event_id
   )
   select ${o.tokenId}, ${m.conditionId}, ${p.sharesMicro}::text as open_shares, ${p.costMicro}::text as cost,
     ${p.realizedMicro}::text as realized, ${p.settledMicro}::text as settled, ${p.valueMicro}::text as value,
     ${p.unmatchedSharesMicro}::text as unmatched,
     moves.movements, moves.additions, moves.added::text as added, moves.removed::text as removed,
     ${m.id} not in (select id from unfollowed) as is_followed,
     ${m.conditionId} in (select ${a.conditionId} from ${a} where ${a.traderId} = ${traderId} and ${a.type} = 'REDEEM')
       as is_redeemed
   from ${p}
   join ${o} on ${o.id} = ${p.outcomeId}
   join ${m} on ${m.id} = ${p.marketId}
   join moves on moves.outcome_id = ${p.outcomeId}
   where ${p.traderId} = ${traderId}`;
