import pg from "pg";
import { isCombination } from "../../src/db/completeness.ts";
import { rowTextSql, type FiguresTable, type Rows, type WalletFigures } from "./figures.ts";
import type { OutcomeFacts, Receipts, RecordedEntry, WalletFacts } from "./fold-wallet.ts";

/** Wallets by row id: above `after`, up to and with `upTo`. */
export interface WalletRange {
  readonly after: string;
  readonly upTo: string;
}

export interface ReadWallet {
  readonly facts: WalletFacts;
  readonly stored: WalletFigures;
}

export interface ReadWallets {
  readonly wallets: readonly ReadWallet[];
  readonly outcomes: ReadonlyMap<string, OutcomeFacts>;
}

const LAST_ID = "9223372036854775807";

/**
 * All wallets, in ranges of about so many entries, lowest ids first. A wallet is never torn, so a range may hold one wallet's entries more; the
 * last range is open, for wallets that come meanwhile or have no entries.
 */
export async function listRanges(client: pg.ClientBase, entries: number): Promise<WalletRange[]> {
  const { rows } = await client.query<{ up_to: string }>(
    `select max(trader_id) as up_to
     from (select trader_id, div(sum(count(*)) over (order by trader_id) - 1, $1) as range from ledger_entries group by trader_id) wallets
     group by range order by range`,
    [entries],
  );
  const ends = [...rows.slice(0, -1).map((row) => row.up_to), LAST_ID];
  return ends.map((upTo, index) => ({ after: ends[index - 1] ?? "-1", upTo }));
}

/** Reads what the wallets of a range did and what is stored of them, all as of one moment. */
export const readMoment = (client: pg.ClientBase, range: WalletRange): Promise<ReadWallets> =>
  readRange(client, range, { first: ["begin isolation level repeatable read read only"], last: ["commit"] });

/** The same inside the caller's transaction, which has to show one moment. */
export const readWallets = (client: pg.ClientBase, range: WalletRange): Promise<ReadWallets> =>
  readRange(client, range, { first: [], last: [] });

/** In one message, so that Postgres goes on from statement to statement while the rows of the first are still being parsed here. */
async function readRange(
  client: pg.ClientBase,
  range: WalletRange,
  { first, last }: { first: readonly string[]; last: readonly string[] },
): Promise<ReadWallets> {
  // Such a message takes no parameters; row ids are whole numbers.
  const within = `trader_id > ${BigInt(range.after)} and trader_id <= ${BigInt(range.upTo)}`;
  const selects = [
    ENTRIES,
    RECEIPTS,
    OUTCOMES,
    STORED("positions", "outcome_id"),
    STORED("trader_totals", "''"),
    STORED("trader_days", "day"),
  ];
  const statements = [...first, ...selects.map((select) => select.replace("WITHIN", within)), ...last];
  // The driver's types know messages of one statement alone; the rows are what the statements select.
  const results = (await client.query({ text: statements.join(";"), types: TYPES })) as unknown as pg.QueryResult[];
  const rows = results.slice(first.length, first.length + selects.length).map((result) => result.rows) as unknown as SelectedRows;
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
  return { wallets, outcomes };
}

type SelectedRows = [
  readonly Owned<RecordedEntry>[],
  readonly Owned<Receipts>[],
  readonly (OutcomeFacts & { readonly id: string })[],
  readonly Owned<StoredRow>[],
  readonly Owned<StoredRow>[],
  readonly Owned<StoredRow>[],
];

/** Amounts are bigints; ids are selected as text. */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (type, format) => (type === pg.types.builtins.INT8 ? BigInt : pg.types.getTypeParser(type, format)),
};

type Owned<T> = T & { readonly traderId: string };

const ENTRIES = `
  select id::text, trader_id::text as "traderId", outcome_id::text as "outcomeId", kind, encode(tx_hash, 'hex') as "txHash", shares_micro as "sharesMicro",
    ordinal, usd_micro as "usdMicro", fee_micro as "feeMicro", realized_micro as "realizedMicro",
    (extract(epoch from traded_at) * 1000)::float8 as "tradedAtMs"
  from ledger_entries where WITHIN`;

const RECEIPTS = `
  select trader_id::text as "traderId", (happened_at at time zone 'UTC')::date - date '1970-01-01' as day,
    coalesce(sum(usd_micro) filter (where type in ('MAKER_REBATE', 'TAKER_REBATE')), 0)::bigint as "rebatesMicro",
    coalesce(sum(usd_micro) filter (where type in ('REWARD', 'YIELD', 'REFERRAL_REWARD')), 0)::bigint as "rewardsMicro",
    (extract(epoch from min(happened_at)) * 1000)::float8 as "firstAtMs", (extract(epoch from max(happened_at)) * 1000)::float8 as "lastAtMs"
  from wallet_activity
  where WITHIN and type in ('MAKER_REBATE', 'TAKER_REBATE', 'REWARD', 'YIELD', 'REFERRAL_REWARD')
  group by trader_id, day`;

const OUTCOMES = `
  select o.id::text, o.market_id::text as "marketId", ${isCombination("m.condition_id")} as "isCombination",
    case when not ${isCombination("m.condition_id")} then m.payouts_ppm[o.outcome_index + 1] end as "payoutPpm",
    m.settled_on - date '1970-01-01' as "settledOn"
  from outcomes o join markets m on m.id = o.market_id where o.id in (select outcome_id from ledger_entries where WITHIN)`;

interface StoredRow {
  readonly key: string;
  readonly row: string;
}

const STORED = (table: FiguresTable, key: string): string =>
  `select trader_id::text as "traderId", ${key}::text as key, ${rowTextSql(table)} as row from ${table} where WITHIN`;

const byTrader = <T>(rows: readonly Owned<T>[]): Map<string, Owned<T>[]> => Map.groupBy(rows, ({ traderId }) => traderId);

const toRows = (rows: readonly StoredRow[] = []): Rows => new Map(rows.map(({ key, row }) => [key, row]));
