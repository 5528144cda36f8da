import { reset } from "cloudflare:test";
import { afterAll } from "vitest";
import { dropTestDatabases } from "../database/database.ts";

/** A Durable Object with an alarm would keep querying a database that has been dropped. */
afterAll(async () => {
  await reset();
  await dropTestDatabases();
}, 120_000);
