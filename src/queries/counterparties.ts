import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { GRADES } from "../domain/grades.ts";
import { matchCounterparties, type CounterpartyMatch, type TransactionFill } from "../domain/match-counterparties.ts";
import { big, count, iso, selectRows } from "./rows.ts";

const Participant = z.object({
  trader_id: count,
  address: z.string(),
  username: z.string().nullable(),
  /** Whether no other wallet uses the name, in whatever case. */
  is_name_unique: z.boolean(),
  grade: z.enum(GRADES).nullable(),
  tier: z.enum(["hot", "warm", "cold"]),
  /** Of all its trades that are recorded. */
  last_at: z.string().nullable(),
});

/** A wallet of the transaction, as it is known now. */
export type ParticipantRow = z.output<typeof Participant>;

export const CounterpartiesRow = z.object({
  tx_hash: z.string(),
  neg_risk: z.boolean().nullable(),
  is_binary: z.boolean(),
  fills: z.array(
    z.object({
      wallet: z.string(),
      token_id: z.string(),
      kind: z.enum(["buy", "sell"]),
      shares_micro: big,
      usd_micro: big,
      is_taker: z.boolean(),
    }),
  ),
  participants: z.array(Participant),
});

export interface TradeCounterparties {
  readonly transactionHash: string;
  /** Null while the market has not been read. */
  readonly negRisk: boolean | null;
  /** Whether another token of the market is the opposite one. */
  readonly isBinary: boolean;
  /** What the match rests on, in no order. */
  readonly fills: readonly TransactionFill[];
  readonly match: CounterpartyMatch;
  /** By address. */
  readonly participants: ReadonlyMap<string, ParticipantRow>;
}

/**
 * Who stood on the other side of a large trade, from the recorded fills of its transaction and market. What is recorded may grow: a match that
 * is unavailable can become available, and an available one stays as it is, because its fills already add up.
 *
 * @returns null when there is no such large trade
 */
export async function findCounterparties(db: Database, largeTradeId: number): Promise<TradeCounterparties | null> {
  const [row] = await selectRows(db, selectCounterparties(sql`${largeTradeId}::bigint`), CounterpartiesRow);
  return row === undefined ? null : toCounterparties(row);
}

/** What the match of a large trade rests on: one row, of `CounterpartiesRow`; none when there is no such trade. */
export const selectCounterparties = (largeTradeId: SQL): SQL => sql`
  with trade as (
    select e.tx_hash, e.market_id from large_trades l join ledger_entries e on e.id = l.entry_id where l.id = ${largeTradeId}
  ), fills as (
    select e.trader_id, o.token_id, e.kind, e.shares_micro, e.usd_micro, e.role is not distinct from 'taker' as is_taker, t.address
    from trade join ledger_entries e on e.tx_hash = trade.tx_hash and e.market_id = trade.market_id
    join outcomes o on o.id = e.outcome_id join traders t on t.id = e.trader_id
    where e.kind in ('buy', 'sell')
  )
  select '0x' || encode(trade.tx_hash, 'hex') as tx_hash, m.neg_risk,
    m.hydrated_at is not null and (select count(*) from outcomes o where o.market_id = m.id and o.outcome_index is not null) = 2 as is_binary,
    (select jsonb_agg(jsonb_build_object('wallet', address, 'token_id', token_id, 'kind', kind, 'shares_micro', shares_micro::text,
      'usd_micro', usd_micro::text, 'is_taker', is_taker)) from fills) as fills,
    (select jsonb_agg(jsonb_build_object('trader_id', t.id, 'address', t.address, 'username', t.username,
        'is_name_unique', not exists (select from traders x where lower(x.username) = lower(t.username) and x.id <> t.id),
        'grade', t.grade,
        'tier', t.tier, 'last_at', ${iso(sql`tt.last_at`)}) order by t.id)
      from traders t left join trader_totals tt on tt.trader_id = t.id where t.id in (select trader_id from fills)) as participants
  from trade join markets m on m.id = trade.market_id`;

export function toCounterparties(row: z.output<typeof CounterpartiesRow>): TradeCounterparties {
  const fills = row.fills.map((fill) => ({
    wallet: fill.wallet,
    tokenId: fill.token_id,
    side: fill.kind === "buy" ? ("BUY" as const) : ("SELL" as const),
    sharesMicro: fill.shares_micro,
    usdMicro: fill.usd_micro,
    isTaker: fill.is_taker,
  }));
  return {
    transactionHash: row.tx_hash,
    negRisk: row.neg_risk,
    isBinary: row.is_binary,
    fills,
    match: matchCounterparties(fills, row.is_binary),
    participants: new Map(row.participants.map((participant) => [participant.address, participant])),
  };
}
