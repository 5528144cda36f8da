import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { openDatabase } from "../../../src/db/client.ts";
import { isUnavailable } from "../../../src/db/is-unavailable.ts";

test("a database that accepts a statement and says nothing is unavailable after the time a statement may take", async () => {
  const silent = createServer(() => undefined).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const neonHttpEndpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/sql`;
  const db = openDatabase({ databaseUrl: "postgres://user:pass@127.0.0.1/none", neonHttpEndpoint, neonSocketProxy: null }, 50);
  const failure: unknown = await db.execute(sql`select 1`).then(
    () => null,
    (error: unknown) => error,
  );
  silent.closeAllConnections();
  silent.close();
  expect(isUnavailable(failure)).toBe(true);
});
