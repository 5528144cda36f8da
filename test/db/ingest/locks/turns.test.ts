import { expect, test } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { lockLedger, lockLedgerForTrades } from "../../../../src/ingest/ledger/record-ledger-entries.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { waitForLedgerWaiters, whileLedgerIsLocked } from "../../../support/ingest/ledger-lock.ts";

test("a page of trades waits for one of the other writers that came before it", async () => {
  const database = await createTestDatabase();
  const watcher = database.openPool();
  const order: string[] = [];
  const startWriter = (name: string, lock: typeof lockLedger) =>
    inTransaction(database.openPool(), async (session) => {
      await lock(session);
      order.push(name);
    });
  const running = await whileLedgerIsLocked(database.openPool(), async () => {
    const started: Promise<void>[] = [];
    for (const name of ["first", "second", "third"]) {
      started.push(startWriter(name, lockLedger));
      await waitForLedgerWaiters(watcher, started.length);
    }
    started.push(startWriter("page", lockLedgerForTrades));
    await waitForLedgerWaiters(watcher, started.length);
    return { started };
  });
  await Promise.all(running.started);
  expect(order).toEqual(["first", "page", "second", "third"]);
});
