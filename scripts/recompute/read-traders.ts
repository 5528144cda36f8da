import { sql, type SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import pg from "pg";
import { z } from "zod";
import { m, o } from "../../src/db/aliases.ts";
import { isUnknownCombinationSql } from "../../src/db/fragments/completeness.ts";
import { ledgerEntries, traderActivity } from "../../src/db/schema.ts";
import { epochMs, renderSql, selectRows } from "../../src/db/sql.ts";
import { sessionOverTcp, type Client } from "../services/postgres/session-over-tcp.ts";
import { keySql, rowTextSql, TABLES, type FiguresTable, type Rows, type TraderRows } from "./figures.ts";
import type { OutcomePayout, Receipts, RecordedEntry, TraderLedger } from "./fold-trader.ts";

/** Traders by row id: above `after`, up to and including `upTo`. */
export interface TraderRange {
  readonly after: string;
  readonly upTo: string;
}

export interface LoadedTrader {
  readonly facts: TraderLedger;
  readonly stored: TraderRows;
}

export interface LoadedTraders {
  readonly traders: readonly LoadedTrader[];
  readonly outcomes: ReadonlyMap<string, OutcomePayout>;
}

const LAST_ID = "9223372036854775807";

/**
 * All traders in ranges of about `entries` entries, lowest ids first. A trader is never split, so a range may
 * exceed the size by one trader's entries. The last range is open, for new traders and traders without
 * entries.
 */
export async function listRanges(client: Client, entries: number): Promise<TraderRange[]> {
  const { traderId } = ledgerEntries;
  const rows = await selectRows(
    sessionOverTcp(client),
    sql`select max(trader_id) as up_to
     from (
       select ${traderId}, div(sum(count(*)) over (order by ${traderId}) - 1, ${entries}) as range
       from ${ledgerEntries} group by ${traderId}
     ) traders
     group by range order by range`,
    z.object({ up_to: z.string() }),
  );
  const ends = [...rows.slice(0, -1).map((row) => row.up_to), LAST_ID];
  return ends.map((upTo, index) => ({ after: ends[index - 1] ?? "-1", upTo }));
}

/** Reads the entries and stored figures of a range of traders in one snapshot. */
export const readTradersSnapshot = (client: Client, range: TraderRange): Promise<LoadedTraders> =>
  readRange(client, range, { first: [sql`begin isolation level repeatable read read only`], last: [sql`commit`] });

/** The same inside the caller's transaction, which must see one snapshot. */
export const readTraders = (client: Client, range: TraderRange): Promise<LoadedTraders> =>
  readRange(client, range, { first: [], last: [] });

/**
 * Sends one message of several statements, so that Postgres executes while the first rows are parsed here.
 */
async function readRange(
  client: Client,
  range: TraderRange,
  { first, last }: { first: readonly SQL[]; last: readonly SQL[] },
): Promise<LoadedTraders> {
  const selects = [
    selectEntries(range),
    selectReceipts(range),
    selectOutcomes(range),
    selectStored("positions", range),
    selectStored("trader_totals", range),
    selectStored("trader_days", range),
  ];
  // `execute` sends neither several statements nor other types of values. Such a message has no parameters,
  // so the ids are literals.
  const { sql: text } = renderSql(sql.join([...first, ...selects, ...last], sql`;`));
  // The driver's types cover one statement per message only; the casts match the statements.
  const results = (await client.query({ text, types: TYPES })) as unknown as pg.QueryResult[];
  const rows = results
    .slice(first.length, first.length + selects.length)
    .map((result) => result.rows) as unknown as SelectedRows;
  const [entries, receipts, outcomes, positions, totals, days] = [
    byTrader(rows[0]),
    byTrader(rows[1]),
    new Map(rows[2].map((row) => [row.id, row])),
    byTrader(rows[3]),
    byTrader(rows[4]),
    byTrader(rows[5]),
  ];
  const ids = new Set([entries, receipts, positions, totals, days].flatMap((grouped) => [...grouped.keys()]));
  const wallets = [...ids].map((traderId) => ({
    facts: { traderId, entries: entries.get(traderId) ?? [], receipts: receipts.get(traderId) ?? [] },
    stored: {
      positions: toRows(positions.get(traderId)),
      trader_totals: toRows(totals.get(traderId)),
      trader_days: toRows(days.get(traderId)),
    },
  }));
  return { traders: wallets, outcomes };
}

type SelectedRows = [
  readonly OfTrader<RecordedEntry>[],
  readonly OfTrader<Receipts>[],
  readonly (OutcomePayout & { readonly id: string })[],
  readonly OfTrader<StoredRow>[],
  readonly OfTrader<StoredRow>[],
  readonly OfTrader<StoredRow>[],
];

/** Amounts are bigints; ids are selected as text. */
export const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (type, format) => (type === pg.types.builtins.INT8 ? BigInt : pg.types.getTypeParser(type, format)),
};

type OfTrader<T> = T & { readonly traderId: string };

export const isWithin = (traderId: AnyPgColumn, { after, upTo }: TraderRange): SQL =>
  sql`${traderId} > ${after} and ${traderId} <= ${upTo}`.inlineParams();

function selectEntries(range: TraderRange): SQL {
  const { id, traderId, outcomeId, kind, txHash, sharesMicro, ordinal, usdMicro, feeMicro, realizedMicro, tradedAt } =
    ledgerEntries;
  return sql`
    select ${id}::text, ${traderId}::text as "traderId", ${outcomeId}::text as "outcomeId", ${kind},
      encode(${txHash}, 'hex') as "txHash", ${sharesMicro} as "sharesMicro", ${ordinal}, ${usdMicro} as "usdMicro",
      ${feeMicro} as "feeMicro", ${realizedMicro} as "realizedMicro", ${epochMs(tradedAt)} as "tradedAtMs"
    from ${ledgerEntries} where ${isWithin(traderId, range)}`;
}

/** How a query selects ids and instants. */
export interface SelectedForms {
  readonly id: (column: AnyPgColumn) => SQL;
  readonly instant: (value: SQL) => SQL;
}

const AS_TEXT: SelectedForms = { id: (column) => sql`${column}::text`, instant: epochMs };

/** The receipts of the range's traders, by trader and day. */
export function selectReceipts(range: TraderRange, as: SelectedForms = AS_TEXT): SQL {
  const { traderId, type, usdMicro, happenedAt } = traderActivity;
  return sql`
    select ${as.id(traderId)} as "traderId", (${happenedAt} at time zone 'UTC')::date - date '1970-01-01' as day,
      coalesce(sum(${usdMicro}) filter (where ${type} in ('MAKER_REBATE', 'TAKER_REBATE')), 0)::bigint
        as "rebatesMicro",
      coalesce(sum(${usdMicro}) filter (where ${type} in ('REWARD', 'YIELD', 'REFERRAL_REWARD')), 0)::bigint
        as "rewardsMicro",
      ${as.instant(sql`min(${happenedAt})`)} as "firstAtMs"
    from ${traderActivity}
    where ${isWithin(traderId, range)}
      and ${type} in ('MAKER_REBATE', 'TAKER_REBATE', 'REWARD', 'YIELD', 'REFERRAL_REWARD')
    group by ${traderId}, day`;
}

/** The outcomes that the range's traders have entries in. */
export const selectOutcomes = (range: TraderRange, as: SelectedForms = AS_TEXT): SQL => sql`
  select ${as.id(o.id)} as id, ${as.id(o.marketId)} as "marketId", ${isUnknownCombinationSql(m)} as "isExcluded",
    case when not ${isUnknownCombinationSql(m)} then ${m.payoutsPpm}[${o.outcomeIndex} + 1] end as "payoutPpm",
    ${m.settledOn} - date '1970-01-01' as "settledOn"
  from ${o} join ${m} on ${m.id} = ${o.marketId}
  where ${o.id} in (
    select ${ledgerEntries.outcomeId} from ${ledgerEntries} where ${isWithin(ledgerEntries.traderId, range)}
  )`;

function selectStored(name: FiguresTable, range: TraderRange): SQL {
  const { table, traderId } = TABLES[name];
  return sql`select ${traderId}::text as "traderId", ${keySql(name)} as key, ${rowTextSql(name)} as row
    from ${table} where ${isWithin(traderId, range)}`;
}

interface StoredRow {
  readonly key: string;
  readonly row: string;
}

const byTrader = <T>(rows: readonly OfTrader<T>[]): Map<string, OfTrader<T>[]> =>
  Map.groupBy(rows, ({ traderId }) => traderId);

const toRows = (rows: readonly StoredRow[] = []): Rows => new Map(rows.map(({ key, row }) => [key, row]));
