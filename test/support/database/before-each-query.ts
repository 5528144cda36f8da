import type { Pool, PoolClient, QueryConfig } from "@neondatabase/serverless";

type Statement = string | QueryConfig;

/** A pool that calls `before` with each statement of its sessions, and sends the statement afterwards. */
export const beforeEachQuery = (
  pool: Pool,
  before: (statement: Statement, session: PoolClient) => Promise<unknown>,
): Pool =>
  new Proxy(pool, {
    get: (target, name) =>
      name !== "connect"
        ? Reflect.get(target, name)
        : async () => {
            const client = await target.connect();
            const query = client.query.bind(client);
            return Object.assign(Object.create(client), {
              query: async (...args: [Statement, unknown[]]) => {
                await before(args[0], client);
                return query(...args);
              },
              release: (error?: Error) => client.release(error),
            });
          },
  });

/** The SQL of a statement. */
export const textOf = (statement: Statement): string => (typeof statement === "string" ? statement : statement.text);
