import { neon, neonConfig, Pool, type PoolClient } from "@neondatabase/serverless";
import { DrizzleQueryError, type SQL } from "drizzle-orm";
import { drizzle, type NeonHttpDatabase } from "drizzle-orm/neon-http";
import { drizzle as openSession, type NeonDatabase } from "drizzle-orm/neon-serverless";
import type { Config } from "../config.ts";
import { withTimeoutSignal } from "../lib/timing/with-timeout-signal.ts";
import { scopeComment } from "../lib/work-scope.ts";
import { CoalescingSocket } from "./coalescing-socket.ts";
import { pipelineSession, type LastStatement } from "./pipeline-session.ts";
import { PreparedStatements } from "./prepared-statements.ts";
import { renderSql } from "./sql.ts";
import type { StatementResult } from "./statement-batch.ts";

/** For reads: one HTTP round trip per statement. */
export type Database = NeonHttpDatabase;

/**
 * Statements over a WebSocket session: an open transaction, or a pool of one session. Only ingest and jobs
 * use one.
 */
export type Session = NeonDatabase;

/** Either transport. */
export type Connection = Database | Session;

/** A database that accepts a request but does not respond counts as unavailable after this time. */
const HTTP_STATEMENT_MS = 10_000;
const CONNECT_MS = 10_000;
/** Longer than the timeouts that Postgres applies inside a transaction (20 s), so Postgres reports first. */
const SESSION_STATEMENT_MS = 30_000;

type ConnectionConfig = Pick<Config, "databaseUrl" | "neonHttpEndpoint" | "neonSocketProxy">;

/**
 * The driver stores its endpoints in one global object, so they are set from the configuration before each
 * use.
 */
function configureDriver(config: ConnectionConfig): void {
  const { neonHttpEndpoint, neonSocketProxy } = config;
  neonConfig.webSocketConstructor = CoalescingSocket;
  neonConfig.coalesceWrites = false;
  if (neonHttpEndpoint !== null) neonConfig.fetchEndpoint = neonHttpEndpoint;
  if (neonSocketProxy !== null) {
    neonConfig.wsProxy = neonSocketProxy;
    neonConfig.useSecureWebSocket = false;
    neonConfig.pipelineConnect = false;
    neonConfig.pipelineTLS = false;
  }
}

/** @param statementMs the longest time for one statement, including the network round trip */
export function openDatabase(config: ConnectionConfig, statementMs: number = HTTP_STATEMENT_MS): Database {
  configureDriver(config);
  neonConfig.fetchFunction = (url: string, init: RequestInit) => fetchWithBody(url, init, statementMs);
  // Without the schema: only relational queries need it, and each call would read all tables again.
  return drizzle(withScopeComments(neon(config.databaseUrl)));
}

/**
 * Appends the current request and operation to each statement, so that the database's log and activity view
 * name them.
 */
function withScopeComments<Client extends object>(client: Client): Client {
  return new Proxy(client, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (name !== "query" || typeof member !== "function") return member;
      return (statement: string | { readonly text: string }, ...rest: unknown[]) =>
        Reflect.apply(member, target, [withComment(statement), ...rest]);
    },
  });
}

/** Over HTTP a statement is its text, over a session an object with it. */
const withComment = (statement: string | { readonly text: string }) =>
  typeof statement === "string" ? statement + scopeComment() : { ...statement, text: statement.text + scopeComment() };

/** Reads the response body within the timeout: a response that stalls halfway also counts as a timeout. */
function fetchWithBody(url: string, init: RequestInit, timeoutMs: number): Promise<Response> {
  return withTimeoutSignal(timeoutMs, async (signal) => {
    const response = await fetch(url, { ...init, signal });
    return new Response(await response.arrayBuffer(), { status: response.status });
  });
}

/**
 * A pool of one WebSocket session. The caller closes it. Outside a Durable Object the pool must not outlive
 * the event that opened it.
 */
export function openPool(config: ConnectionConfig): Pool {
  configureDriver(config);
  const pool = new Pool({
    connectionString: config.databaseUrl,
    max: 1,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: SESSION_STATEMENT_MS,
  });
  // The pool replaces a session that dies while idle. Without a listener its error would end the isolate.
  pool.on("error", ignore);
  return pool;
}

const SESSIONS = new WeakMap<Pool, Session>();

/** Single statements on a pool's session, outside a transaction. */
export function sessionOf(pool: Pool): Session {
  const session = SESSIONS.get(pool) ?? openSession({ client: withScopeComments(pool) });
  SESSIONS.set(pool, session);
  return session;
}

/**
 * Runs `work` in one REPEATABLE READ transaction that only reads. It may last minutes and wait for other services
 * between its statements: without a transaction id of its own it does not hold back the commit horizon.
 */
export const inSnapshot = async <T>(pool: Pool, work: (session: Session) => Promise<T>): Promise<T> => {
  const begin = [
    "begin isolation level repeatable read, read only",
    "set local statement_timeout = '25s'",
    "set local idle_in_transaction_session_timeout = '120s'",
  ];
  return (await transact(pool, begin, work)).result;
};

/**
 * Runs `work` in one transaction: commits when it returns, rolls back when it throws. The timeouts bound how
 * long the transaction can hold back the outbox's commit horizon. Statements of one tick share a round trip.
 */
export const inTransaction = async <T>(pool: Pool, work: (session: Session) => Promise<T>): Promise<T> =>
  (await transact(pool, BEGIN, work)).result;

/**
 * Runs statements as one transaction, in their order, in one message with its beginning and its commit. Their row locks end
 * without a round trip.
 *
 * @returns the rows of each statement, which are committed
 */
export async function commitTogether(pool: Pool, statements: readonly SQL[]): Promise<readonly (readonly unknown[])[]> {
  const rendered = statements.map((statement) => {
    const { sql, params } = renderSql(statement);
    return { text: sql + scopeComment(), values: params };
  });
  const { last } = await transact(pool, BEGIN, async () => undefined, { last: rendered });
  return last.map(({ rows }) => rows);
}

/**
 * The same for a transaction that one session repeats, such as a page of a feed: the session parses each statement once.
 * After five executions Postgres also keeps its plan, unless plans for the parameters are better. Only for statements whose
 * texts and plans do not depend on the parameters. Behind a pooler that does not track prepared statements one transaction
 * fails, and the process prepares no more.
 */
export const inRepeatedTransaction = async <T>(pool: Pool, work: (session: Session) => Promise<T>): Promise<T> =>
  (await transact(pool, BEGIN, work, { findPrepared: preparedOf })).result;

const BEGIN = ["begin", "set local statement_timeout = '20s'", "set local idle_in_transaction_session_timeout = '20s'"];

const PREPARED = new WeakMap<PoolClient, PreparedStatements>();

/** A prepared statement is unknown, or known already: a pooler changes sessions between transactions. */
const SESSION_CHANGED = new Set(["26000", "42P05"]);
let mayPrepare = true;

function preparedOf(client: PoolClient): PreparedStatements | null {
  if (!mayPrepare) return null;
  const prepared = PREPARED.get(client) ?? new PreparedStatements();
  PREPARED.set(client, prepared);
  return prepared;
}

/** The session of a transaction whose statements are sent with its commit. */
const LAST_SESSIONS = new WeakMap<Session, Session>();

/**
 * Runs `work` with a session whose statements are sent after `work` and all others of the transaction, with the commit, as
 * one message: the last writes and the commit take one round trip, and one failure undoes all. They have no results, so
 * `work` must not read rows.
 *
 * @param session of `inTransaction`; in a transaction that the caller ends itself, the statements are sent at once
 */
export async function atCommit(session: Session, work: (last: Session) => Promise<unknown>): Promise<void> {
  await work(LAST_SESSIONS.get(session) ?? session);
}

const ignore = (): void => undefined;

interface TransactionSettings {
  readonly findPrepared?: (client: PoolClient) => PreparedStatements | null;
  /** Sent with the commit, after all others. */
  readonly last?: readonly LastStatement[];
}

async function transact<T>(
  pool: Pool,
  begin: readonly string[],
  work: (session: Session) => Promise<T>,
  { findPrepared = () => null, last = [] }: TransactionSettings = {},
): Promise<{ readonly result: T; readonly last: readonly StatementResult[] }> {
  const client = await pool.connect();
  let failure: Error | undefined;
  // The pool listens only while a session is idle. The next statement of a session that was cut fails by itself.
  client.on("error", ignore);
  try {
    const pipeline = pipelineSession(client, begin, SESSION_STATEMENT_MS, findPrepared(client));
    const session = openSession({ client: withScopeComments(pipeline.client) });
    LAST_SESSIONS.set(session, openSession({ client: withScopeComments(pipeline.lastClient) }));
    const result = await work(session).catch((error: unknown) => {
      pipeline.end();
      throw error;
    });
    return { result, last: await pipeline.commit(last) };
  } catch (error) {
    // Drizzle's wrapper repeats the statement with all its parameters; the cause says what went wrong.
    const cause = error instanceof DrizzleQueryError && error.cause !== undefined ? error.cause : error;
    failure = cause instanceof Error ? cause : new Error(String(cause));
    if ("code" in failure && SESSION_CHANGED.has(String(failure.code))) mayPrepare = false;
    // A broken session cannot roll back; Postgres does when it ends.
    await client.query("rollback").catch(() => undefined);
    throw cause;
  } finally {
    client.off("error", ignore);
    // A session that failed may be broken. Releasing it with the error makes the pool open a new one.
    client.release(failure);
  }
}
