import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { closeLoad, openLoad } from "../../../../scripts/load/load-state.ts";
import { inTransaction } from "../../../../src/db/client.ts";
import { lockSkill } from "../../../../src/ingest/skill/skill-lock.ts";
import { createTestDatabase } from "../../../support/database/database.ts";

test("a load opens while bets are scored, bets are scored during a load, and a second load is refused", async () => {
  const { databaseUrl, openPool } = await createTestDatabase();
  const [client, other] = [new pg.Client(databaseUrl), new pg.Client(databaseUrl)];
  for (const each of [client, other]) {
    onTestFinished(() => each.end());
    await each.connect();
  }
  await inTransaction(openPool(), async (session) => {
    await lockSkill(session);
    await openLoad(client);
  });
  await inTransaction(openPool(), lockSkill);
  await expect(openLoad(other)).rejects.toThrow("Another load runs on this database.");
  await closeLoad(client);
  await openLoad(other);
});
