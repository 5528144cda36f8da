import { WebSocket } from "ws";
import { openDatabase, openPool, sessionOf, type Connection, type Database } from "../../src/db/client.ts";
import type { Config } from "../../src/config.ts";

type DatabaseConfig = Pick<Config, "databaseUrl" | "neonHttpEndpoint" | "neonSocketProxy">;

/** How the checks reach the outside. */
export interface PreflightPorts {
  readonly fetch: typeof fetch;
  /** Statements over HTTP, as reads send them. */
  readonly openDatabase: (config: DatabaseConfig) => Database;
  /** Runs work on a session over a WebSocket, as ingest and jobs do. */
  readonly withSession: (config: DatabaseConfig, work: (session: Connection) => Promise<unknown>) => Promise<void>;
  /** Resolves when a WebSocket has opened, and closes it. */
  readonly openSocket: (url: string, headers?: Readonly<Record<string, string>>) => Promise<void>;
}

const TIMEOUT_MS = 10_000;

export const systemPorts: PreflightPorts = {
  fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }),
  openDatabase,
  async withSession(config, work) {
    const pool = openPool(config);
    try {
      await work(sessionOf(pool));
    } finally {
      await pool.end().catch(() => undefined);
    }
  },
  openSocket: (url, headers = {}) =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(url, { handshakeTimeout: TIMEOUT_MS, headers });
      socket.once("open", () => {
        socket.terminate();
        resolve();
      });
      socket.once("error", reject);
    }),
};
