import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { e, l, m, o, t, totals } from "../../db/aliases.ts";
import type { Database } from "../../db/client.ts";
import { exchangeFamily } from "../../db/fragments/exchange-family.ts";
import { fillLogs, traders } from "../../db/schema.ts";
import { alias, bigintText, integer, isoText, selectRow } from "../../db/sql.ts";
import { TIERS } from "../../domain/traders/tracking.ts";
import { GRADES } from "../../domain/traders/grades.ts";
import type { ExchangeFamily } from "../../domain/trades/exchange-families.ts";
import {
  matchCounterparties,
  type CounterpartyMatch,
  type TransactionFill,
} from "../../domain/trades/match-counterparties.ts";

const namesake = alias(traders, "x");
const own = alias(fillLogs, "own");
const other = alias(fillLogs, "other");

const Participant = z.object({
  trader_id: integer,
  address: z.string(),
  username: z.string().nullable(),
  /** Whether no other trader uses the name, ignoring case. */
  is_name_unique: z.boolean(),
  grade: z.enum(GRADES).nullable(),
  tier: z.enum(TIERS),
  /** Time of its last recorded trade. */
  last_at: z.string().nullable(),
});

/** A trader of the transaction, with its current data. */
export type ParticipantRow = z.output<typeof Participant>;

export const CounterpartiesRow = z.object({
  tx_hash: z.string(),
  orders_matched_log_index: integer.nullable(),
  exchange: exchangeFamily.nullable(),
  is_binary: z.boolean(),
  fills: z.array(
    z.object({
      wallet: z.string(),
      token_id: z.string(),
      kind: z.enum(["buy", "sell"]),
      shares_micro: bigintText,
      usd_micro: bigintText,
      is_taker: z.boolean(),
    }),
  ),
  participants: z.array(Participant),
});

export interface TradeCounterparties {
  readonly transactionHash: string;
  /** The event of the trade's taker order; null unless it was read from the chain. */
  readonly ordersMatched: { readonly logIndex: number; readonly exchange: ExchangeFamily } | null;
  /** Whether the market has exactly two outcomes, so that the other token is the opposite one. */
  readonly isBinary: boolean;
  /** The input of the match, in no order: the fills of the transaction that are not known to be of another taker order. */
  readonly fills: readonly TransactionFill[];
  readonly match: CounterpartyMatch;
  /** Keyed by address. */
  readonly participants: ReadonlyMap<string, ParticipantRow>;
}

/**
 * Finds the makers of a large trade from the recorded fills of its transaction and market. More fills, and their logs on
 * the chain, may be recorded later: an unavailable match can become available, and an available one does not change,
 * because its fills already add up.
 *
 * @returns null when the large trade does not exist
 */
export async function findCounterparties(db: Database, largeTradeId: number): Promise<TradeCounterparties | null> {
  const row = await selectRow(db, selectCounterparties(sql`${largeTradeId}::bigint`), CounterpartiesRow);
  return row === null ? null : toCounterparties(row);
}

/** The traders of the rows of `fills`, as one JSON array. */
const selectParticipants: SQL = sql`
  select jsonb_agg(jsonb_build_object('trader_id', ${t.id}, 'address', ${t.address}, 'username', ${t.username},
      'is_name_unique', not exists (select from ${namesake} where lower(${namesake.username}) = lower(${t.username})
        and ${namesake.id} <> ${t.id}),
      'grade', ${t.grade}, 'tier', ${t.tier}, 'last_at', ${isoText(totals.lastAt)}) order by ${t.id})
    from ${t} left join ${totals} on ${totals.traderId} = ${t.id}
    where ${t.id} in (select trader_id from fills)`;

/**
 * Selects the input of the match of a large trade: one `CounterpartiesRow`, or no row when the trade does not
 * exist.
 */
export const selectCounterparties = (largeTradeId: SQL): SQL => sql`
  with trade as (
    select ${e.txHash}, ${e.marketId}, ${own.ordersMatchedLogIndex}, ${own.exchange}
    from ${l} join ${e} on ${e.id} = ${l.entryId} left join ${own} on ${own.entryId} = ${e.id}
    where ${l.id} = ${largeTradeId}
  ), fills as (
    select ${e.traderId}, ${o.tokenId}, ${e.kind}, ${e.sharesMicro}, ${e.usdMicro},
      ${e.role} is not distinct from 'taker' as is_taker, ${t.address}
    from trade join ${e} on ${e.txHash} = trade.tx_hash and ${e.marketId} = trade.market_id
    join ${o} on ${o.id} = ${e.outcomeId} join ${t} on ${t.id} = ${e.traderId}
    left join ${other} on ${other.entryId} = ${e.id}
    where ${e.kind} in ('buy', 'sell')
      and coalesce(${other.ordersMatchedLogIndex} = trade.orders_matched_log_index, true)
  )
  select '0x' || encode(trade.tx_hash, 'hex') as tx_hash, trade.orders_matched_log_index, trade.exchange,
    ${m.hydratedAt} is not null and (select count(*) from ${o} where ${o.marketId} = ${m.id}
      and ${o.outcomeIndex} is not null) = 2 as is_binary,
    (select jsonb_agg(jsonb_build_object('wallet', address, 'token_id', token_id, 'kind', kind,
      'shares_micro', shares_micro::text,
      'usd_micro', usd_micro::text, 'is_taker', is_taker)) from fills) as fills,
    (${selectParticipants}) as participants
  from trade join ${m} on ${m.id} = trade.market_id`;

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
    ordersMatched:
      row.orders_matched_log_index === null || row.exchange === null
        ? null
        : { logIndex: row.orders_matched_log_index, exchange: row.exchange },
    isBinary: row.is_binary,
    fills,
    match: matchCounterparties(fills, row.is_binary),
    participants: new Map(row.participants.map((participant) => [participant.address, participant])),
  };
}
