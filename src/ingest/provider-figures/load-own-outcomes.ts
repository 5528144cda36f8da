import { z } from "zod";
import type { Session } from "../../db/client.ts";
import type { OwnOutcome } from "../../scoring/pnl-correction.ts";

const big = z.coerce.bigint();

const Row = z.object({
  token_id: z.string(),
  condition_id: z.string(),
  held: big,
  cost: big,
  realized: big,
  settled: big.nullable(),
  value: big.nullable(),
  unmatched: big,
  movements: z.number(),
  additions: z.number(),
  added: big,
  removed: big,
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
 * Every outcome a wallet has held, by our books, as of one moment. A market is not followed where the wallet converted (its legs are priced
 * otherwise by the provider), nor where activity that its sync could not book concerns the market or another of its event.
 */
export async function loadOwnOutcomes(session: Session, traderId: number): Promise<OwnMarketOutcome[]> {
  const { rows } = await session.query(
    `with moves as (
       select outcome_id, market_id, count(*)::int as movements,
         count(*) filter (where kind in ('buy', 'split', 'convert_in'))::int as additions,
         coalesce(sum(shares_micro) filter (where kind in ('buy', 'split', 'convert_in')), 0) as added,
         coalesce(sum(shares_micro) filter (where kind not in ('buy', 'split', 'convert_in')), 0) as removed,
         bool_or(kind in ('convert_in', 'convert_out')) as converted
       from ledger_entries where trader_id = $1 group by outcome_id, market_id
     ), unbooked as (
       select m.id, m.event_id from wallet_syncs s
       join wallet_activity a on a.trader_id = s.trader_id and lower(a.type) = any(s.gaps)
       join markets m on m.condition_id = a.condition_id
       where s.trader_id = $1
     ), unfollowed as (
       select market_id as id from moves where converted
       union select id from unbooked
       union select m.id from unbooked u join markets m on m.event_id = u.event_id
     )
     select o.token_id, m.condition_id, p.shares_micro::text as held, p.cost_micro::text as cost, p.realized_micro::text as realized,
       p.settled_micro::text as settled, p.value_micro::text as value, p.unmatched_shares_micro::text as unmatched,
       moves.movements, moves.additions, moves.added::text as added, moves.removed::text as removed,
       m.id not in (select id from unfollowed) as is_followed,
       m.condition_id in (select condition_id from wallet_activity where trader_id = $1 and type = 'REDEEM') as is_redeemed
     from positions p
     join outcomes o on o.id = p.outcome_id
     join markets m on m.id = p.market_id
     join moves on moves.outcome_id = p.outcome_id
     where p.trader_id = $1`,
    [traderId],
  );
  return z
    .array(Row)
    .parse(rows)
    .map((row) => ({
      conditionId: row.condition_id,
      isFollowed: row.is_followed,
      isRedeemed: row.is_redeemed,
      outcome: {
        tokenId: row.token_id,
        heldSharesMicro: row.held,
        costMicro: row.cost,
        realizedMicro: row.realized,
        settledMicro: row.settled,
        valueMicro: row.value,
        unmatchedSharesMicro: row.unmatched,
        movements: row.movements,
        additions: row.additions,
        addedSharesMicro: row.added,
        removedSharesMicro: row.removed,
      },
    }));
}
