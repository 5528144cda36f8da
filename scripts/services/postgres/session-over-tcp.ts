import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import type { Session } from "../../../src/db/client.ts";

/** One session of the TCP driver. */
export type Client = pg.Client | pg.PoolClient;

/** A session over TCP instead of a WebSocket. Both drivers run statements with the same results. */
export const sessionOverTcp = (client: Client): Session => drizzle(client);
