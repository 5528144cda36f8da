import type { Database } from "../../../src/db/client.ts";

/** The database with `before` called before each statement. An error of `before` is the statement's. */
export const watchStatements = (db: Database, before: () => void): Database =>
  new Proxy(db, {
    get(target, name) {
      if (name === "execute") before();
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
