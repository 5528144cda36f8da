import type { Database } from "../../src/db/client.ts";

/** The same database, and how many statements were sent through it. */
export function countStatements(db: Database): { db: Database; sent: () => number } {
  let count = 0;
  const counting = new Proxy(db, {
    get(target, name, receiver) {
      if (name === "execute") count++;
      return Reflect.get(target, name, receiver);
    },
  });
  return { db: counting, sent: () => count };
}
