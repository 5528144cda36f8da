import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import type { Session } from "../../../src/db/client.ts";

/** One session of the TCP driver. */
export type Client = pg.Client | pg.PoolClient;

/**
 * A session over TCP instead of a WebSocket. Both drivers run statements with the same results. Statements of one tick
 * take one round trip each.
 */
export const sessionOverTcp = (client: Client): Session => drizzle(oneAtATime(client));

type Query = (...args: unknown[]) => Promise<unknown>;

/** The driver accepts a statement only after the one before has ended. */
function oneAtATime(client: Client): Client {
  let last: Promise<unknown> = Promise.resolve();
  const query: Query = (...args) => {
    const send = () => Reflect.apply(client.query, client, args) as Promise<unknown>;
    const sent = last.then(send);
    last = sent.catch(() => undefined);
    return sent;
  };
  return new Proxy(client, {
    get: (target, name, receiver) => (name === "query" ? query : Reflect.get(target, name, receiver)),
  });
}
