import {
  LEDGER_LOCK_SESSIONS,
  LedgerLockWatch,
  type LedgerLockTimes,
  type LockedSession,
} from "./ledger-lock-times.ts";
import { ReopenedClient } from "./reopened-client.ts";

/** Due work and queued work by kind, and how late the oldest due trader is. */
export interface DepthSample {
  /** Rows whose work is due. */
  readonly due: Readonly<Record<string, number>>;
  /** Items that are leased: in a queue or at a consumer. */
  readonly leased: Readonly<Record<string, number>>;
  /** Seconds since the oldest due sync became due, by tier. */
  readonly lateSeconds: Readonly<Record<string, number>>;
}

interface Waits {
  /** Sessions of the product that wait for a lock, summed over the looks of each second, and the longest wait. */
  readonly lockWaits: number;
  readonly longestLockWaitMs: number;
  readonly longestRunningMs: number;
}

export interface DatabaseSample extends DepthSample, Waits {
  readonly walBytes: number;
}

/** The queues of the product; the others only catch up after a load and are shown without a bar. */
export const JUDGED_DEPTH = [
  "sync_trader",
  "read_combos",
  "hydrate_markets",
  "check_results",
  "score_markets",
  "outbox",
];

const NAME = "live_size_sampler";

const DUE = `
  select jsonb_build_object(
    'sync_trader', (select count(*) from trader_syncs where due_at <= now()),
    'read_combos', (select count(*) from trader_syncs where combos_due_at <= now()),
    'hydrate_markets', (select count(*) from markets where hydrated_at is null and not (length(condition_id) = 64)),
    'check_results', (select count(*) from markets where payouts_ppm is null and result_due_at <= now()),
    'score_markets', (select count(*) from skill_due),
    'measure_traders', (select count(*) from provider_figures where due_at <= now()),
    'outbox', (select count(*) from events e left join outbox_readers r on r.name = 'webhooks'
       where r.name is null or (e.commit_xid, e.id) > (r.commit_xid, r.event_id))
  ) as due,
  (select coalesce(jsonb_object_agg(kind, n), '{}') from (select kind, count(*) as n from work_leases group by kind) l) as leased,
  (select coalesce(jsonb_object_agg(tier, late), '{}') from (
     select t.tier, round(extract(epoch from max(now() - s.due_at))) as late
     from trader_syncs s join traders t on t.id = s.trader_id where s.due_at <= now() group by t.tier) d) as "lateSeconds",
  pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as "walBytes"`;

const WAITS = `
  select count(*) filter (where wait_event_type = 'Lock')::int as "lockWaits",
    coalesce(max(extract(epoch from clock_timestamp() - query_start) * 1000) filter (where wait_event_type = 'Lock'), 0)::float8
      as "longestLockWaitMs",
    coalesce(max(extract(epoch from clock_timestamp() - query_start) * 1000) filter (where state = 'active'), 0)::float8
      as "longestRunningMs"
  from pg_stat_activity where backend_type = 'client backend' and application_name <> '${NAME}'`;

/** The commit of a page: every row of a transaction has the same `recorded_at`, and those that no later one changed its xid. */
const COMMITS = `
  select recorded_at::text as recorded, min(extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000)::float8 as committed_ms
  from ledger_entries where recorded_at > $1::timestamptz group by recorded_at`;
/** The next look includes the transactions of this long before the last one. */
const COMMITS_OVERLAP_MS = 60_000;

const WAITS_EVERY_MS = 1_000;
/** A page holds the ledger lock for some tens of milliseconds. */
const LEDGER_LOCK_EVERY_MS = 50;
const NO_WAITS: Waits = { lockWaits: 0, longestLockWaitMs: 0, longestRunningMs: 0 };

/** Looks at the database of a running product, over two sessions of its own. */
export class DatabaseSampler {
  readonly #client: ReopenedClient;
  /** Its looks do not wait for the statements of the samples. */
  readonly #lockClient: ReopenedClient;
  readonly #ledgerLock = new LedgerLockWatch();
  #lastLockLook: number | null = null;
  #isLooking = false;
  readonly #commits = new Map<string, number>();
  #commitsSince: Date;
  #waits: Waits = NO_WAITS;
  readonly #timers: readonly NodeJS.Timeout[];

  constructor(databaseUrl: string, since: Date) {
    this.#client = new ReopenedClient(databaseUrl, NAME);
    this.#lockClient = new ReopenedClient(databaseUrl, NAME);
    this.#commitsSince = since;
    this.#timers = [
      setInterval(() => void this.#watchWaits().catch(() => undefined), WAITS_EVERY_MS),
      setInterval(() => void this.#watchLedgerLock().catch(() => undefined), LEDGER_LOCK_EVERY_MS),
    ];
  }

  /** The state now; waits since the last call. */
  async take(): Promise<DatabaseSample> {
    const [row] = await this.#client.query<DepthSample & { walBytes: number }>(DUE);
    await this.#readCommits();
    const waits = this.#waits;
    this.#waits = NO_WAITS;
    if (row === undefined) throw new Error("the sample has no row");
    return { ...row, ...waits };
  }

  /** When the transactions committed that recorded ledger entries, epoch ms, by `recorded_at` as text. */
  async readCommits(): Promise<ReadonlyMap<string, number>> {
    await this.#readCommits();
    return this.#commits;
  }

  /** How long each work has held the ledger lock and waited for it so far. */
  readLedgerLock(): readonly LedgerLockTimes[] {
    return this.#ledgerLock.list();
  }

  async end(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all([this.#client.end(), this.#lockClient.end()]);
  }

  async #watchWaits(): Promise<void> {
    const [row] = await this.#client.query<Waits>(WAITS);
    if (row === undefined) return;
    this.#waits = {
      lockWaits: this.#waits.lockWaits + row.lockWaits,
      longestLockWaitMs: Math.max(this.#waits.longestLockWaitMs, row.longestLockWaitMs),
      longestRunningMs: Math.max(this.#waits.longestRunningMs, row.longestRunningMs),
    };
  }

  async #watchLedgerLock(): Promise<void> {
    // A late look counts for the time of the looks that it has replaced.
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const sessions = await this.#lockClient.query<LockedSession>(LEDGER_LOCK_SESSIONS);
      const now = performance.now();
      if (this.#lastLockLook !== null) this.#ledgerLock.add(sessions, now - this.#lastLockLook);
      this.#lastLockLook = now;
    } finally {
      this.#isLooking = false;
    }
  }

  async #readCommits(): Promise<void> {
    const startedAt = Date.now();
    const rows = await this.#client.query<{ recorded: string; committed_ms: number }>(COMMITS, [this.#commitsSince]);
    for (const { recorded, committed_ms: ms } of rows)
      this.#commits.set(recorded, Math.min(ms, this.#commits.get(recorded) ?? Number.POSITIVE_INFINITY));
    this.#commitsSince = new Date(startedAt - COMMITS_OVERLAP_MS);
  }
}
