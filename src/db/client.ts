import { neon, neonConfig, Pool, type PoolClient } from "@neondatabase/serverless";
import { drizzle, type NeonHttpDatabase } from "drizzle-orm/neon-http";
import type { Config } from "../config.ts";
import { withSignal } from "../lib/with-signal.ts";
import { GatheringSocket } from "./gathering-socket.ts";
import * as schema from "./schema.ts";

/** Reads: one HTTP round trip a statement. */
export type Database = NeonHttpDatabase<typeof schema>;

/** An open transaction on a session. Only ingest and jobs use one. */
export type Session = Pick<PoolClient, "query">;

/** A database that accepts and says nothing counts as away after this long. */
const HTTP_STATEMENT_MS = 10_000;
const CONNECT_MS = 10_000;
/** Longer than the timeouts Postgres itself keeps inside a transaction. */
const SESSION_STATEMENT_MS = 30_000;

type ConnectionConfig = Pick<Config, "databaseUrl" | "neonHttpEndpoint" | "neonSocketProxy">;

/** The driver keeps its endpoints in one global object, so they are set from the configuration before each first use. */
function configureDriver(config: ConnectionConfig): void {
  const { neonHttpEndpoint, neonSocketProxy } = config;
  neonConfig.webSocketConstructor = GatheringSocket;
  neonConfig.coalesceWrites = false;
  if (neonHttpEndpoint !== null) neonConfig.fetchEndpoint = neonHttpEndpoint;
  if (neonSocketProxy !== null) {
    neonConfig.wsProxy = neonSocketProxy;
    neonConfig.useSecureWebSocket = false;
    neonConfig.pipelineConnect = false;
    neonConfig.pipelineTLS = false;
  }
}

/** @param statementMs how long a statement may take, its way there and back included */
export function openDatabase(config: ConnectionConfig, statementMs: number = HTTP_STATEMENT_MS): Database {
  configureDriver(config);
  neonConfig.fetchFunction = (url: string, init: RequestInit) => fetchWhole(url, init, statementMs);
  return drizzle(neon(config.databaseUrl), { schema });
}

/** Fetches an answer to its end: one that stops halfway is as late as one that never begins. */
function fetchWhole(url: string, init: RequestInit, timeoutMs: number): Promise<Response> {
  return withSignal(timeoutMs, async (signal) => {
    const response = await fetch(url, { ...init, signal });
    return new Response(await response.arrayBuffer(), { status: response.status });
  });
}

/** A pool of one WebSocket session. The caller ends it; outside a Durable Object it must not outlive the event it was opened in. */
export function openPool(config: ConnectionConfig): Pool {
  configureDriver(config);
  const pool = new Pool({
    connectionString: config.databaseUrl,
    max: 1,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: SESSION_STATEMENT_MS,
  });
  // A session that dies while idle is replaced at the next use; without a listener its error would end the isolate.
  pool.on("error", () => undefined);
  return pool;
}

/**
 * Runs `work` in one transaction: committed when it returns, rolled back when it throws. The timeouts bound how long the transaction
 * can hold the outbox's commit horizon.
 */
export async function inTransaction<T>(pool: Pool, work: (session: Session) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query("begin; set local statement_timeout = '20s'; set local idle_in_transaction_session_timeout = '20s'");
    const result = await work(client);
    await client.query("commit");
    return result;
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    await client.query("rollback").catch(() => undefined);
    throw error;
  } finally {
    // A session that failed may be broken; releasing it with the error makes the pool open a new one.
    client.release(failure);
  }
}
