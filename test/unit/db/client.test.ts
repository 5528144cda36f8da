import { createServer, type RequestListener } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { sql } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { openDatabase, type Database } from "../../../src/db/client.ts";
import { isDatabaseUnavailable } from "../../../src/db/is-database-unavailable.ts";

/** A database behind an endpoint that responds to every statement in this way. */
async function openAnswering(answer: RequestListener, statementMs?: number): Promise<Database> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  const neonHttpEndpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sql`;
  return openDatabase(
    { databaseUrl: "postgres://user:pass@127.0.0.1/none", neonHttpEndpoint, neonSocketProxy: null },
    statementMs,
  );
}

const failureOf = (db: Database): Promise<unknown> =>
  db.execute(sql`select 1`).then(
    () => null,
    (error: unknown) => error,
  );

test("a database that accepts a statement without responding is unavailable after the statement timeout", async () => {
  const db = await openAnswering(() => undefined, 50);
  expect(isDatabaseUnavailable(await failureOf(db))).toBe(true);
});

test("a database whose response stops halfway is unavailable", async () => {
  const db = await openAnswering((_request, response) => void response.writeHead(200).write(`{"fields":[`), 50);
  expect(isDatabaseUnavailable(await failureOf(db))).toBe(true);
});

test.each([
  [200, JSON.stringify({ command: "SELECT", rowCount: 1, fields: [{ name: "one", dataTypeID: 23 }], rows: [["1"]] })],
  [400, JSON.stringify({ message: "no such table", code: "42P01" })],
  [500, "away"],
])("a statement with the response status %i leaves no timer behind", async (status, body) => {
  const timers = { set: vi.spyOn(globalThis, "setTimeout"), cleared: vi.spyOn(globalThis, "clearTimeout") };
  onTestFinished(() => Object.values(timers).forEach((spy) => spy.mockRestore()));
  const signals = vi.spyOn(AbortSignal, "timeout");
  onTestFinished(() => signals.mockRestore());
  const db = await openAnswering((_request, response) => void response.writeHead(status).end(body), 9_876);
  await failureOf(db);
  const ofStatement = timers.set.mock.calls.flatMap(([, ms], index) =>
    ms === 9_876 ? [timers.set.mock.results[index]?.value] : [],
  );
  expect(ofStatement).toHaveLength(1);
  expect(timers.cleared.mock.calls.map(([timer]) => timer)).toContain(ofStatement[0]);
  expect(signals).not.toHaveBeenCalled();
});
