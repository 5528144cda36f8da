import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import pg from "pg";
import { z } from "zod";
import { Backup } from "../../../test/support/product/postgres-backup.ts";
import { makeDataDir, removeDataDir } from "../../../test/support/product/started-product.ts";
import { WebhookDatabase } from "../../bench/webhooks/webhook-database.ts";
import { recompute } from "../../recompute/recompute.ts";
import { compareDeliveries, startDeliveryLog, type DeliveryLog } from "./delivery-log.ts";
import { DrillProduct, holdsWithin, type DrillAccount } from "./drill-product.ts";
import { logStream, type StreamLog } from "./stream-log.ts";

/** One check of the drill, which holds when both values are equal. */
export interface DrillCheck {
  readonly name: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

export const holds = ({ expected, actual }: DrillCheck): boolean => isDeepStrictEqual(actual, expected);

/** Seconds of trades before the restored moment, and until the loss. Each second has one large trade. */
const KEPT_SECONDS = 20;
const ALL_SECONDS = 25;
/** Counts of the drill's events: only these frames have counts of a million and more. */
const FIRST_COUNT = 1_000_001;
const BATCH = 10;
const SEEN_MS = 60_000;
/** The longest flush delay of a meter, with the alarm's lateness. */
const FLUSHED_MS = 75_000;
const REPLAY = "/api/v1/events/feed/since?limit=1";
const LARGE_TRADES = "/api/v1/large-trades?limit=3";
const WATCHLIST = { name: "After the moment", wallets: [] };
const NEWEST = "/api/v1/large-trades?limit=100";

interface Parts {
  readonly product: DrillProduct;
  readonly backup: Backup;
  readonly receiver: DeliveryLog;
}

interface Clients {
  /** Its key is revoked after the restored moment. */
  readonly revoked: DrillAccount;
  readonly kept: DrillAccount;
  /** Loses its plan after the restored moment. */
  readonly downgraded: DrillAccount;
  readonly stream: StreamLog;
}

/** What clients have at the loss. */
interface Before {
  readonly replayCursor: string;
  readonly listCursor: string;
  /** The newest large trades, all recorded after the moment, and their `wt_` ids. */
  readonly listed: readonly Fill[];
  readonly ids: readonly string[];
  readonly later: DrillAccount;
  /** Requests of `kept` in this month, by its meter and by the headers of its responses. */
  readonly used: number;
  readonly accounted: number;
}

/** A large trade, as far as a restore keeps it. */
type Fill = string;

/**
 * Rehearses docs/operations.md, "Restoring the database": takes a backup, goes on, loses the database, restores an
 * earlier moment, begins an epoch and starts the product on it. Then it checks what clients see.
 */
export async function runRestoreDrill(log: (line: string) => void): Promise<DrillCheck[]> {
  const dir = await makeDataDir();
  const product = await DrillProduct.open(dir);
  const receiver = await startDeliveryLog();
  let stream: StreamLog | null = null;
  try {
    log("starting the product");
    await product.start(KEPT_SECONDS);
    const parts: Parts = { product, receiver, backup: new Backup(product.databaseDir, join(dir, "backup")) };
    await parts.backup.begin(product.postgres);
    const clients = await createClients(parts);
    stream = clients.stream;
    await publish(parts, 0);
    await untilStreamed(clients, BATCH);
    await parts.backup.markMoment(product.postgres);
    log("the moment to restore is marked");
    const before = await goOn(parts, clients);
    const restored = await restore(parts, clients);
    log("the database is restored, and an epoch has begun");
    await product.start(ALL_SECONDS);
    return [...restored, ...(await check(parts, clients, before))];
  } finally {
    await stream?.stop();
    receiver.stop();
    await product.close();
    await removeDataDir(dir);
  }
}

async function createClients({ product, receiver }: Parts): Promise<Clients> {
  const [revoked, downgraded, follower] = [
    await product.addAccount(),
    await product.addAccount(),
    await product.addAccount(),
  ];
  // Meters of these accounts flush first, after 30 seconds.
  let kept = await product.addAccount();
  while (kept.id % 30 !== 0) kept = await product.addAccount();
  const database = new WebhookDatabase(product.postgres.url, product.credentialSecret);
  const [endpoint] = await database.createEndpoints([receiver.url]);
  await database.query("update webhook_endpoints set event_types = array['large_trade_inserted_v2'] where id = $1", [
    endpoint?.id,
  ]);
  await database.close();
  await admitted(product, revoked);
  const stream = logStream(product.streamUrl, follower.key);
  return { revoked, kept, downgraded, stream };
}

/** Everything that the restore undoes. */
async function goOn(parts: Parts, clients: Clients): Promise<Before> {
  const { product, receiver } = parts;
  const { revoked, kept, downgraded } = clients;
  await product.stop();
  await product.start(ALL_SECONDS);
  const later = await product.addAccount();
  await admitted(product, later);
  await admitted(product, revoked);
  await product.operate(`revoke-key ${revoked.keyId}`);
  await product.operate(`set-plan ${downgraded.email} free`);
  const created = await product.post("/api/v1/watchlists", kept, WATCHLIST);
  if (created !== 200) throw new Error(`The watchlist was not created: ${created}.`);
  await publish(parts, BATCH);
  await untilStreamed(clients, 2 * BATCH);
  await holdsWithin(SEEN_MS, () => receiver.deliveries.length >= ALL_SECONDS - KEPT_SECONDS);
  const replayCursor = String((await product.get(REPLAY, kept)).body.next_cursor);
  const page = await readTrades(product, LARGE_TRADES, kept);
  const [listed, ids] = [page.data.map(fillOf), page.data.map(({ id }) => id)];
  const used = await readUsage(product, kept);
  const accounted = product.accountedOf(kept);
  // The meter confirms the revocation two seconds after it.
  await sleep(3_000);
  return { replayCursor, listCursor: String(page.next_cursor), listed, ids, later, used, accounted };
}

/** Steps 1 to 3 of the documented restore: the epoch begins before the product reaches the restored database. */
async function restore({ product, backup }: Parts, { revoked }: Clients): Promise<DrillCheck[]> {
  await backup.finishLog(product.postgres);
  await product.stop();
  await product.postgres.crash();
  backup.restore();
  await product.postgres.restart();
  const isRecovered = async () => (await product.query("select not pg_is_in_recovery() as done"))[0].done;
  if (!(await holdsWithin(SEEN_MS, isRecovered))) throw new Error("Postgres did not end its recovery.");
  const [row] = await product.query(
    `select (select revoked_at from api_keys where id = ${revoked.keyId}) as revoked_at,
       (select count(*)::int from large_trades) as large_trades`,
  );
  const begun = await product.operate("begin-epoch");
  return [
    { name: "the restored database has not seen the revocation", expected: null, actual: row.revoked_at },
    { name: "the restored database lacks later trades", expected: KEPT_SECONDS, actual: row.large_trades },
    { name: "the epoch has begun", expected: true, actual: begun.includes("has begun") },
  ];
}

async function check(parts: Parts, clients: Clients, before: Before): Promise<DrillCheck[]> {
  return [
    ...(await checkCredentials(parts, clients, before)),
    ...(await checkCursors(parts, clients, before)),
    ...(await checkStream(parts, clients)),
    ...(await checkDeliveries(parts)),
    ...(await checkUsage(parts, clients, before)),
    ...(await checkFigures(parts)),
  ];
}

async function checkCredentials({ product }: Parts, clients: Clients, { later }: Before): Promise<DrillCheck[]> {
  const { revoked, kept, downgraded } = clients;
  const statusOf = async (account: DrillAccount, path = REPLAY) => (await product.get(path, account)).status;
  await admitted(product, kept);
  const hasPlan = await holdsWithin(SEEN_MS, async () => (await statusOf(downgraded)) === 200);
  const added = await product.addAccount();
  const watchlists = (await product.get("/api/v1/watchlists", kept)).body.data;
  return [
    { name: "a key that was revoked after the moment is refused", expected: 401, actual: await statusOf(revoked) },
    { name: "a key that was created after the moment is refused", expected: 401, actual: await statusOf(later) },
    { name: "a plan that ended after the moment is back", expected: true, actual: hasPlan },
    { name: "a watchlist that was created after the moment is gone", expected: [], actual: watchlists },
    { name: "no account number is issued again", expected: true, actual: added.id > later.id },
  ];
}

async function checkCursors({ product }: Parts, { kept }: Clients, before: Before): Promise<DrillCheck[]> {
  const replayed = await product.get(`${REPLAY}&cursor=${encodeURIComponent(before.replayCursor)}`, kept);
  // A trade that ingest has not recorded again is on no page.
  let data: readonly ListedTrade[] = [];
  await holdsWithin(SEEN_MS, async () => {
    ({ data } = await readTrades(product, NEWEST, kept));
    return data.length >= ALL_SECONDS;
  });
  const listed = [...before.listed];
  let cursor: string | null = before.listCursor;
  for (let page = 0; cursor !== null && page < ALL_SECONDS; page += 1) {
    const next: TradePage = await readTrades(product, `${LARGE_TRADES}&cursor=${encodeURIComponent(cursor)}`, kept);
    listed.push(...next.data.map(fillOf));
    cursor = next.next_cursor;
  }
  const all = data.map(fillOf);
  const reissued = data.filter(({ id }) => before.ids.includes(id));
  return [
    { name: "a replay cursor is refused", expected: "cursor_expired", actual: replayed.body?.error?.reason },
    { name: "a list has every large trade of the provider", expected: ALL_SECONDS, actual: all.length },
    { name: "no wt_ id of a lost trade is issued again", expected: [], actual: reissued },
    { name: "a list goes on after its cursor without a repeated or skipped trade", expected: all, actual: listed },
  ];
}

async function checkStream(parts: Parts, clients: Clients): Promise<DrillCheck[]> {
  await publish(parts, 2 * BATCH);
  await untilStreamed(clients, 3 * BATCH);
  // Time within which a duplicate frame would arrive.
  await sleep(1_000);
  const { frames } = clients.stream;
  const ids = frames.map(({ id }) => id);
  const resyncs = frames.filter(({ event }) => event === "resync").map(({ data }) => data.completeness?.reason);
  return [
    { name: "the stream has one resync frame", expected: ["events_restored"], actual: resyncs },
    {
      name: "the stream's numbers have no gap and no repetition",
      expected: upTo(ids[0] ?? 0, ids.length),
      actual: ids,
    },
    {
      name: "the stream has every event once and in order",
      expected: upTo(FIRST_COUNT, 3 * BATCH),
      actual: countsOf(clients),
    },
  ];
}

async function checkDeliveries({ receiver }: Parts): Promise<DrillCheck[]> {
  const lost = ALL_SECONDS - KEPT_SECONDS;
  await holdsWithin(SEEN_MS, () => compareDeliveries(receiver.deliveries).repeatedFills >= lost);
  const { ambiguousIds, repeatedFills, mostIds } = compareDeliveries(receiver.deliveries);
  return [
    { name: "no event id was delivered with two sets of facts", expected: [], actual: ambiguousIds },
    { name: "only fills recorded after the moment were delivered again", expected: lost, actual: repeatedFills },
    { name: "each fill has one event id", expected: 1, actual: mostIds },
  ];
}

async function checkUsage({ product }: Parts, { kept }: Clients, { used, accounted }: Before): Promise<DrillCheck[]> {
  // Postgres gets the day's total of an operation with the flush after its next request.
  await product.post("/api/v1/watchlists", kept, WATCHLIST);
  const all = product.accountedOf(kept);
  // Reads of the usage are stored too, but are in no response's accounting and in no quota.
  const readStored = async () =>
    (
      await product.query(`select coalesce(sum(requests), 0)::int as n from usage_days
       where account_id = ${kept.id} and operation <> 'getUsage'`)
    )[0].n;
  await holdsWithin(FLUSHED_MS, async () => (await readStored()) >= all);
  return [
    { name: "the meter had counted every accounted request", expected: accounted, actual: used },
    {
      name: "requests were counted before and after the restore",
      expected: true,
      actual: accounted > 0 && all > accounted,
    },
    { name: "the meter goes on with its count", expected: all, actual: await readUsage(product, kept) },
    { name: "Postgres has every request once after a flush", expected: all, actual: await readStored() },
  ];
}

const readUsage = async (product: DrillProduct, account: DrillAccount): Promise<number> =>
  (await product.get("/api/v1/usage", account)).body.data.monthly_quota.used;

async function checkFigures({ product }: Parts): Promise<DrillCheck[]> {
  const client = new pg.Client({ connectionString: product.postgres.url });
  await client.connect();
  try {
    const different: string[] = [];
    const { entries } = await recompute(client, {
      verify: true,
      onDifference: ({ table, key, field }) => different.push(`${table} ${key} ${field}`),
    });
    const [{ stored }] = await product.query("select count(*)::int as stored from ledger_entries");
    return [
      { name: "the stored figures equal a new computation", expected: [], actual: different },
      { name: "the computation has read every ledger entry", expected: stored, actual: entries },
    ];
  } finally {
    await client.end();
  }
}

/** Commits a batch of events with the next counts. */
async function publish({ product }: Parts, from: number): Promise<void> {
  await product.query(
    `insert into events (epoch, type, payload)
     select (select max(epoch) from outbox_epoch), 'large_trades_inserted', jsonb_build_object('count', n)
     from generate_series(${FIRST_COUNT + from}, ${FIRST_COUNT + from + BATCH - 1}) n`,
  );
}

const countsOf = ({ stream }: Clients): number[] =>
  stream.frames.flatMap(({ data: { count } }) => (count === undefined || count < FIRST_COUNT ? [] : [count]));

async function untilStreamed(clients: Clients, count: number): Promise<void> {
  await holdsWithin(SEEN_MS, () => countsOf(clients).length >= count);
}

async function admitted(product: DrillProduct, account: DrillAccount): Promise<void> {
  const isAdmitted = async () => (await product.get(REPLAY, account)).status === 200;
  if (!(await holdsWithin(SEEN_MS, isAdmitted))) throw new Error(`The key of account ${account.id} was not admitted.`);
}

const upTo = (from: number, count: number): number[] => Array.from({ length: count }, (_, index) => from + index);

const TradePage = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      traded_at: z.string(),
      side: z.string(),
      size_usd: z.number(),
      trader: z.object({ address: z.string() }),
    }),
  ),
  next_cursor: z.string().nullable().default(null),
});

type TradePage = z.output<typeof TradePage>;
type ListedTrade = TradePage["data"][number];

/**
 * Reads a page of large trades. A product that has just started may refuse a read with 503; then it is sent again.
 *
 * @throws with the last response when none is 200 within a minute
 */
async function readTrades(product: DrillProduct, path: string, account: DrillAccount): Promise<TradePage> {
  let response = await product.get(path, account);
  await holdsWithin(SEEN_MS, async () => {
    if (response.status === 503) response = await product.get(path, account);
    return response.status !== 503;
  });
  if (response.status !== 200) throw new Error(`${path} was refused: ${response.status} ${response.text}`);
  return TradePage.parse(response.body);
}

/** Without the row's id, which differs for a trade that was recorded again. */
const fillOf = ({ trader, traded_at, side, size_usd }: ListedTrade): Fill =>
  JSON.stringify([trader.address, traded_at, side, size_usd]);
