import type pg from "pg";
import type { Entry } from "./fold.ts";
import { auditComboResult, isWholeCombo, type AuditLeg } from "./combo-result.ts";
import type { MarketFacts } from "./price.ts";

export interface TraderFacts {
  readonly id: number;
  readonly address: string;
  readonly username: string | null;
  readonly grade: string | null;
  readonly score: number | null;
  readonly tier: string;
  readonly followed: boolean;
  /** When the trader's activity was last read to the end; null if never. */
  readonly completeAt: string | null;
  readonly gaps: readonly string[];
}

export interface LargeTradeFacts {
  readonly id: number;
  readonly traderId: number;
  readonly marketId: number;
  readonly outcomeId: number;
  readonly side: "BUY" | "SELL";
  readonly size: bigint;
  readonly shares: bigint;
  readonly price: string;
  readonly atMs: number;
}

interface ActivityFacts {
  readonly id: number;
  readonly traderId: number;
  readonly kind: "rebate" | "reward";
  readonly usd: bigint;
  readonly atMs: number;
}

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;
const iso = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const ENTRIES_AT_ONCE = 50_000;

/** Entries after an id, or all entries of some traders. */
export async function readEntries(
  client: pg.ClientBase,
  which: { readonly after: number } | { readonly wallets: readonly number[] },
): Promise<Entry[]> {
  const entries: Entry[] = [];
  let after = "wallets" in which ? 0 : which.after;
  for (;;) {
    const { rows } = await client.query<unknown[]>({
      rowMode: "array",
      text: `select id::float8, trader_id::float8, outcome_id::float8, market_id::float8, kind, shares_micro, usd_micro,
          fee_micro, price::text, role, encode(tx_hash, 'hex'), ordinal, ${ms("traded_at")}, ${ms("recorded_at")}
        from ledger_entries where id > $1 ${"wallets" in which ? "and trader_id = any($3::bigint[])" : ""} order by id limit $2`,
      values: [after, ENTRIES_AT_ONCE, ...("wallets" in which ? [which.wallets] : [])],
    });
    entries.push(...rows.map(toEntry));
    if (rows.length < ENTRIES_AT_ONCE) return entries;
    after = entries.at(-1)?.id ?? after;
  }
}

// The cast matches the columns of the statement above, its only caller.
function toEntry(row: unknown[]): Entry {
  const [id, traderId, outcomeId, marketId, kind, shares, usd, fee, price, role, tx, ordinal, atMs, recordedMs] =
    row as [
      ...[number, number, number, number],
      ...[Entry["kind"], string, string, string | null, string, string | null, string, number, number, number],
    ];
  return {
    ...{
      id,
      traderId,
      outcomeId,
      marketId,
      kind,
      shares: BigInt(shares),
      usd: BigInt(usd),
      fee: fee === null ? null : BigInt(fee),
    },
    ...{ price, role, txHash: tx, ordinal, atMs, recordedMs },
  };
}

/** A text for each trader that changes when a fee is added to one of its recorded entries. */
export async function readFeeSums(client: pg.ClientBase): Promise<{ traderId: number; text: string }[]> {
  const { rows } = await client.query<{ trader_id: string; fees: string }>(
    `select trader_id, count(fee_micro) || ' ' || coalesce(sum(fee_micro), 0) as fees from ledger_entries group by trader_id`,
  );
  return rows.map(({ trader_id, fees }) => ({ traderId: Number(trader_id), text: fees }));
}

const REBATES = ["MAKER_REBATE", "TAKER_REBATE"];
const REWARDS = ["REWARD", "YIELD", "REFERRAL_REWARD"];

export async function readActivity(client: pg.ClientBase, after: number): Promise<ActivityFacts[]> {
  const { rows } = await client.query<{
    id: string;
    trader_id: string;
    type: string;
    usd_micro: string;
    at_ms: number;
  }>(
    `select id, trader_id, type, usd_micro, ${ms("happened_at")} as at_ms
     from trader_activity where id > $1 and type = any($2::text[])`,
    [after, [...REBATES, ...REWARDS]],
  );
  return rows.map(({ id, trader_id, type, usd_micro, at_ms }) => ({
    ...{ id: Number(id), traderId: Number(trader_id), kind: REBATES.includes(type) ? "rebate" : "reward" },
    ...{ usd: BigInt(usd_micro), atMs: at_ms },
  }));
}

export async function readMarkets(client: pg.ClientBase): Promise<MarketFacts[]> {
  const { rows } = await client.query<
    MarketFacts & { id: number; isCombo: boolean; legCount: number | null; legs: readonly AuditLeg[] }
  >(
    `select length(m.condition_id) = 64 and m.condition_id like '0x03%' as "isCombo", c.leg_count as "legCount",
       coalesce((select json_agg(json_build_object('outcome', l.outcome_index, 'known', l.leg_market_id is not null,
         'payouts', lm.payouts_ppm, 'day', lm.settled_on))
         from combo_legs l left join markets lm on lm.id = l.leg_market_id where l.market_id = m.id), '[]') as legs,
       m.id::float8 as id, m.condition_id as "conditionId", m.event_id::float8 as "eventId", m.title, m.category,
       m.closed, ${ms("m.end_at")} as "endMs", ${ms("m.provider_created_at")} as "createdMs",
       m.payouts_ppm as "payoutsPpm", ${iso("m.resolved_at")} as "resolvedAt", m.settled_on::text as "settledOn",
       m.volume_usd::text as "volumeUsd", coalesce(o.outcomes, '[]') as outcomes
     from markets m left join (
       select market_id, json_agg(json_build_object('id', q.id, 'index', outcome_index, 'tokenId', token_id, 'label', label,
         'bestBid', best_bid::text, 'bestAsk', best_ask::text, 'bookSource', book_source,
         'bookMs', ${ms("case book_source when 'gamma_market' then figures_as_of else book_as_of end")},
         'lastTradePrice', last_trade_price::text, 'lastTradeMs', ${ms("last_trade_at")}) order by outcome_index nulls last, q.id) as outcomes
       from outcomes q join markets on markets.id = q.market_id group by market_id
     ) o on o.market_id = m.id
     left join combos c on c.market_id = m.id`,
  );
  return rows.map(({ isCombo, legCount, legs, ...market }) => {
    if (!isCombo) return { ...market, isUnknownCombo: false };
    const isWhole = isWholeCombo(legs, legCount);
    const result = isWhole ? auditComboResult(legs) : { payoutsPpm: null, settledOn: null };
    return { ...market, ...result, isUnknownCombo: !isWhole };
  });
}

export async function readTraderFacts(client: pg.ClientBase): Promise<TraderFacts[]> {
  const { rows } = await client.query<TraderFacts>(
    `select t.id::float8 as id, t.address, t.username, t.grade, t.score, t.tier, s.trader_id is not null as followed,
       ${iso("s.complete_at")} as "completeAt", coalesce(s.gaps, '{}') as gaps
     from traders t left join trader_syncs s on s.trader_id = t.id`,
  );
  return rows;
}

export async function readLargeTrades(client: pg.ClientBase, after: number): Promise<LargeTradeFacts[]> {
  const { rows } = await client.query<
    { [Column in keyof LargeTradeFacts]: string } & { side: "BUY" | "SELL"; atMs: number }
  >(
    `select id, trader_id as "traderId", market_id as "marketId", outcome_id as "outcomeId", side,
       size_usd_micro as size, shares_micro as shares, price::text as price, ${ms("traded_at")} as "atMs"
     from large_trades where id > $1`,
    [after],
  );
  return rows.map((row) => ({
    ...{
      id: Number(row.id),
      traderId: Number(row.traderId),
      marketId: Number(row.marketId),
      outcomeId: Number(row.outcomeId),
    },
    ...{ side: row.side, size: BigInt(row.size), shares: BigInt(row.shares), price: row.price, atMs: row.atMs },
  }));
}
