import pg from "pg";

/** The statements of one job, message or operation since the reset. */
export interface WorkFigures {
  readonly work: string;
  readonly calls: number;
  readonly rows: number;
  readonly walBytes: number;
  readonly totalMs: number;
  readonly longestMs: number;
  /** The beginning of the longest statement. */
  readonly longestText: string;
}

export interface StatementRow {
  readonly query: string;
  readonly calls: number;
  readonly rows: number;
  readonly walBytes: number;
  readonly totalMs: number;
  readonly longestMs: number;
}

/**
 * Settings of Postgres that these figures, the times of commits and the names of waiting work need: a statement ends with
 * the name of its work. Neon has no full page writes either.
 */
export const SAMPLED_POSTGRES = {
  shared_preload_libraries: "pg_stat_statements",
  track_commit_timestamp: "on",
  full_page_writes: "off",
  track_activity_query_size: "32768",
};

/** The comment that `scopeComment` of src/lib/work-scope.ts ends a statement with: request id, if any, and work. */
const SCOPE = /\/\* (?:\S+ )?([\w:.-]+) \*\/\s*$/;
/** Statements without a comment: of sessions as such. */
export const NO_WORK = "(none)";

/** Feeds and reads of a trader's activity record fills by the same statements, those of `recordLedgerEntries`. */
const RECORDERS = new Set(["read_taker_trades", "read_all_trades", "sync_trader"]);
const WRITES_FILLS =
  /\b(insert into|update|merge into) "?(ledger_entries|positions|trader_totals|trader_days|large_trades|outcomes)\b/i;
const LOCKS_OUTCOMES = /^\s*select from "outcomes" .* for no key update\b/is;
export const RECORDING = "record_fills";

/** The job, message or operation that a statement's comment names. */
export const namedWork = (query: string): string | null => SCOPE.exec(query)?.[1] ?? null;

export function workOf(query: string): string {
  const work = namedWork(query) ?? NO_WORK;
  return RECORDERS.has(work) && (WRITES_FILLS.test(query) || LOCKS_OUTCOMES.test(query)) ? RECORDING : work;
}

/**
 * Sums the statements by work. Postgres keeps the text of a statement's first call, so a statement that several kinds of
 * work run counts for the one that ran it first; only the recording of fills has a name of its own.
 */
export function sumByWork(rows: readonly StatementRow[]): readonly WorkFigures[] {
  return [...Map.groupBy(rows, ({ query }) => workOf(query))]
    .map(([work, own]) => {
      const sum = (pick: (row: StatementRow) => number) => own.reduce((total, row) => total + pick(row), 0);
      const longest = own.reduce((one, other) => (other.longestMs > one.longestMs ? other : one));
      return {
        ...{ work, calls: sum((row) => row.calls), rows: sum((row) => row.rows), walBytes: sum((row) => row.walBytes) },
        ...{ totalMs: sum((row) => row.totalMs), longestMs: longest.longestMs },
        longestText: longest.query.replace(/\s+/g, " ").slice(0, 90),
      };
    })
    .toSorted((a, b) => b.walBytes - a.walBytes);
}

/** Adds the view of statements to the database. */
export const createStatementView = (databaseUrl: string): Promise<unknown> =>
  withClient(databaseUrl, (client) => client.query("create extension if not exists pg_stat_statements"));

export const resetStatements = (databaseUrl: string): Promise<unknown> =>
  withClient(databaseUrl, (client) => client.query("select pg_stat_statements_reset()"));

export const readStatements = (databaseUrl: string): Promise<readonly WorkFigures[]> =>
  withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<StatementRow>(
      `select query, calls::float8, rows::float8, wal_bytes::float8 as "walBytes", total_exec_time as "totalMs",
         max_exec_time as "longestMs"
       from pg_stat_statements where query !~ 'live_size|pg_stat_|pg_xact_commit_timestamp|work_leases group by kind'`,
    );
    return sumByWork(rows);
  });

async function withClient<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
