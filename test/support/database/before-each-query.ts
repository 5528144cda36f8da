import type { Pool, PoolClient } from "@neondatabase/serverless";
import { StatementBatch } from "../../../src/db/statement-batch.ts";

type Statement = string | StatementBatch | { readonly text: string };

/**
 * A pool that calls `before` with each message of its transactions, and sends the message afterwards. Single statements are
 * sent as they are.
 */
export const beforeEachQuery = (
  pool: Pool,
  before: (statement: Statement, session: PoolClient) => Promise<unknown>,
): Pool =>
  new Proxy(pool, {
    get: (target, name) =>
      name === "query"
        ? target.query.bind(target)
        : name !== "connect"
          ? Reflect.get(target, name)
          : async () => {
              const client = await target.connect();
              const query = client.query.bind(client);
              return Object.assign(Object.create(client), {
                query: async (...args: [Statement, unknown[]]) => {
                  await before(args[0], client);
                  return query(args[0] as string, args[1]);
                },
                release: (error?: Error) => client.release(error),
              });
            },
  });

/** The SQL of the statements of a message. */
export function textsOf(statement: Statement): readonly string[] {
  if (typeof statement === "string") return [statement];
  return statement instanceof StatementBatch ? statement.statements.map(({ text }) => text) : [statement.text];
}
