import type pg from "pg";
import type { Figures, FiguresTable, WalletFigures } from "./figures.ts";
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
 * The wallets after `after` that together have about so many entries; all that is left when there are fewer. A wallet is never torn, so a
 * range may hold one wallet's entries more.
 */
export async function findRange(client: pg.ClientBase, after: string, entries: number): Promise<WalletRange> {
  const { rows } = await client.query<{ trader_id: string }>(
    `select trader_id from ledger_entries where trader_id > $1 order by trader_id offset $2 limit 1`,
    [after, entries],
  );
  return { after, upTo: rows[0]?.trader_id ?? LAST_ID };
}

/** Whether wallets come after a range. */
export const isLast = ({ upTo }: WalletRange): boolean => upTo === LAST_ID;

/** Reads what the wallets of a range did and what is stored of them. The caller's transaction has to show one moment. */
export async function readWallets(client: pg.ClientBase, range: WalletRange): Promise<ReadWallets> {
  const entries = await readEntries(client, range);
  const receipts = await readReceipts(client, range);
  const stored = {
    positions: await readStored(client, "positions", "outcome_id", range),
    trader_totals: await readStored(client, "trader_totals", null, range),
    trader_days: await readStored(client, "trader_days", "day", range),
  };
  const ids = new Set([...entries.keys(), ...receipts.keys(), ...Object.values(stored).flatMap((rows) => [...rows.keys()])]);
  const wallets = [...ids].map((traderId) => ({
    facts: { traderId, entries: entries.get(traderId) ?? [], receipts: receipts.get(traderId) ?? [] },
    stored: {
      positions: stored.positions.get(traderId) ?? new Map<string, Figures>(),
      trader_totals: stored.trader_totals.get(traderId) ?? new Map<string, Figures>(),
      trader_days: stored.trader_days.get(traderId) ?? new Map<string, Figures>(),
    },
  }));
  const outcomeIds = new Set([...entries.values()].flatMap((rows) => rows.map((row) => row.outcomeId)));
  return { wallets, outcomes: await readOutcomes(client, [...outcomeIds]) };
}

async function readEntries(client: pg.ClientBase, { after, upTo }: WalletRange): Promise<Map<string, RecordedEntry[]>> {
  const { rows } = await client.query<{
    id: string;
    trader_id: string;
    outcome_id: string;
    kind: RecordedEntry["kind"];
    tx: string;
    shares_micro: string;
    ordinal: number;
    usd_micro: string;
    fee_micro: string | null;
    realized_micro: string | null;
    traded_ms: number;
  }>(
    `select id, trader_id, outcome_id, kind, encode(tx_hash, 'hex') as tx, shares_micro, ordinal, usd_micro, fee_micro, realized_micro,
       (extract(epoch from traded_at) * 1000)::float8 as traded_ms
     from ledger_entries where trader_id > $1 and trader_id <= $2`,
    [after, upTo],
  );
  const byTrader = new Map<string, RecordedEntry[]>();
  for (const row of rows) {
    listOf(byTrader, row.trader_id).push({
      id: row.id,
      outcomeId: row.outcome_id,
      kind: row.kind,
      txHash: row.tx,
      sharesMicro: BigInt(row.shares_micro),
      ordinal: row.ordinal,
      usdMicro: BigInt(row.usd_micro),
      feeMicro: row.fee_micro === null ? null : BigInt(row.fee_micro),
      realizedMicro: row.realized_micro === null ? null : BigInt(row.realized_micro),
      tradedAtMs: row.traded_ms,
    });
  }
  return byTrader;
}

async function readReceipts(client: pg.ClientBase, { after, upTo }: WalletRange): Promise<Map<string, Receipts[]>> {
  const { rows } = await client.query<{ trader_id: string; day: string; rebates: string; rewards: string; first: number; last: number }>(
    `select trader_id, (happened_at at time zone 'UTC')::date::text as day,
       coalesce(sum(usd_micro) filter (where type in ('MAKER_REBATE', 'TAKER_REBATE')), 0) as rebates,
       coalesce(sum(usd_micro) filter (where type in ('REWARD', 'YIELD', 'REFERRAL_REWARD')), 0) as rewards,
       (extract(epoch from min(happened_at)) * 1000)::float8 as first, (extract(epoch from max(happened_at)) * 1000)::float8 as last
     from wallet_activity
     where trader_id > $1 and trader_id <= $2 and type in ('MAKER_REBATE', 'TAKER_REBATE', 'REWARD', 'YIELD', 'REFERRAL_REWARD')
     group by trader_id, 2`,
    [after, upTo],
  );
  const byTrader = new Map<string, Receipts[]>();
  for (const { trader_id, day, rebates, rewards, first, last } of rows) {
    const receipts = { day, rebatesMicro: BigInt(rebates), rewardsMicro: BigInt(rewards), firstAtMs: first, lastAtMs: last };
    listOf(byTrader, trader_id).push(receipts);
  }
  return byTrader;
}

async function readOutcomes(client: pg.ClientBase, ids: readonly string[]): Promise<Map<string, OutcomeFacts>> {
  const { rows } = await client.query<{ id: string; market_id: string; payout_ppm: number | null; settled_on: string | null }>(
    `select o.id, o.market_id, m.payouts_ppm[o.outcome_index + 1] as payout_ppm, m.settled_on::text as settled_on
     from outcomes o join markets m on m.id = o.market_id where o.id = any($1::bigint[])`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, { marketId: row.market_id, payoutPpm: row.payout_ppm, settledOn: row.settled_on }]));
}

const MOMENTS = ["first_at", "last_at"].map((name) => `to_char(${name} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${name}`);
const MICRO = (names: string) => names.split(" ").map((name) => `${name}_micro::text`);

const COLUMNS: Readonly<Record<FiguresTable, readonly string[]>> = {
  positions: [
    "outcome_id::text",
    "market_id::text",
    ...MICRO("shares cost realized settled bought_shares bought_usd sold_shares sold_usd fees unmatched_shares"),
    "entry_count::text",
    ...MOMENTS,
  ],
  trader_totals: [...MICRO("realized settled fees rebates rewards volume"), "entry_count::text", ...MOMENTS],
  trader_days: ["day::text", ...MICRO("realized settled fees rebates rewards volume"), "entry_count::text"],
};

async function readStored(
  client: pg.ClientBase,
  table: FiguresTable,
  key: string | null,
  { after, upTo }: WalletRange,
): Promise<Map<string, Map<string, Figures>>> {
  const { rows } = await client.query<Record<string, string | null>>(
    `select trader_id::text, ${COLUMNS[table].join(", ")} from ${table} where trader_id > $1 and trader_id <= $2`,
    [after, upTo],
  );
  const byTrader = new Map<string, Map<string, Figures>>();
  for (const row of rows) {
    const traderId = row["trader_id"] ?? "";
    const ofTrader = byTrader.get(traderId) ?? new Map<string, Figures>();
    byTrader.set(traderId, ofTrader.set(key === null ? "" : (row[key] ?? ""), row));
  }
  return byTrader;
}

function listOf<T>(lists: Map<string, T[]>, key: string): T[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}
