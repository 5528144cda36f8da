import type { Database } from "../../../src/db/client.ts";

/** The same database, with a count of the statements sent through it. */
export function countStatements(db: Database): { db: Database; sent: () => number } {
  let count = 0;
  const counting = new Proxy(db, {
    get(target, name, receiver) {
      if (name === "execute" || name === "select") count++;
      return Reflect.get(target, name, receiver);
    },
  });
  return { db: counting, sent: () => count };
}
