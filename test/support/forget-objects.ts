import { reset } from "cloudflare:test";
import { afterAll } from "vitest";
import { dropTestDatabases } from "./database.ts";

/** An object with an alarm would go on asking a database that is gone. */
afterAll(async () => {
  await reset();
  await dropTestDatabases();
}, 120_000);
