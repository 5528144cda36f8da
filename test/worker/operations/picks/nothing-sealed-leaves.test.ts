import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { Database } from "../../../../src/db/client.ts";
import { pickCommitments } from "../../../../src/db/schema.ts";
import { OPERATIONS } from "../../../../src/operations/index.ts";
import { settlePicks } from "../../../../src/ingest/picks/settle-picks.ts";
import { createTestDatabase } from "../../../support/database.ts";
import { aPickGame, readAgain, resolveMarket, runPicks } from "../../../support/ingest/pick-game.ts";
import { pathOf } from "../../../support/kernel/registry-paths.ts";
import { openRegistryApi, READS, type RegistryApi } from "../../../support/registry/open-registry-api.ts";
import { aPick, type SeededPick } from "../../../support/seed/picks.ts";
import { TODAY_PATH } from "../../../support/seed/pick-readers.ts";
import { productDayOf } from "../../../../src/domain/picks/pick-schedule.ts";
import { aKey } from "../../../support/kernel/keys.ts";

/** Every form in which a nonce or a payload could be written. */
const formsOf = (nonce: string, payload: string, sealedNonce: string): string[] => {
  const bytes = Uint8Array.from(nonce.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return [
    ...[nonce, nonce.toUpperCase(), btoa(String.fromCharCode(...bytes)), [...bytes].join(",")],
    ...[payload, JSON.stringify(payload).slice(1, -1), btoa(payload), sealedNonce],
  ];
};

/** Console output during the work. */
async function loggedBy(work: () => Promise<unknown>): Promise<string> {
  const lines: unknown[] = [];
  const spies = (["log", "info", "warn", "error", "debug"] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation((...args: unknown[]) => void lines.push(...args)),
  );
  try {
    await work();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return lines
    .map((line) => (line instanceof Error ? `${line.message} ${line.stack}` : JSON.stringify(line)))
    .join("\n");
}

describe("with a sealed pick in the database", () => {
  let registry: RegistryApi;
  let pick: SeededPick;
  let secrets: string[];

  beforeAll(async () => {
    registry = await openRegistryApi();
    pick = await aPick(registry.db, { date: productDayOf(new Date()), rank: 9, label: "The hidden side" });
    const [stored] = await registry.db
      .select()
      .from(pickCommitments)
      .where(sql`${pickCommitments.pickId} = ${pick.id}`);
    secrets = formsOf(pick.nonce ?? "", pick.payload ?? "", stored?.sealedNonce ?? "");
  });

  const leaksIn = (text: string) => secrets.filter((secret) => text.includes(secret));

  test("no operation returns or logs its nonce or its payload, with the widest access", async () => {
    const answers: Record<string, string> = {};
    const logs = await loggedBy(async () => {
      for (const operation of OPERATIONS.filter(({ kind }) => kind !== "stream")) {
        const { status, text, headers } = READS.includes(operation)
          ? await registry.request(operation)
          : await registry.api.send(pathOf(operation), { method: operation.method.toUpperCase() });
        answers[operation.id] = `${status} ${JSON.stringify([...headers])} ${text}`;
      }
      for (const path of [`${TODAY_PATH}/ledger/${pick.id}`, `${TODAY_PATH}/archive?limit=100`])
        answers[path] = (await registry.api.send(path)).text;
    });
    // Each secret is a different text, none of them empty.
    expect(new Set(secrets.filter((secret) => secret.length > 8)).size).toBe(8);
    // The walk reaches the pick: it is in the public ledger and open to Max.
    expect(answers["getPickOfTheDayLedger"]).toContain(`"pick_id":"${pick.id}"`);
    expect(answers["getPickOfTheDay"]).toContain("The hidden side");
    expect(Object.entries(answers).filter(([, text]) => leaksIn(text).length > 0)).toEqual([]);
    expect(leaksIn(logs)).toEqual([]);
  });

  test.each(["free", "pro"] as const)("no read of picks names its game or its side to a %s account", async (plan) => {
    const key = await aKey(registry.db, { plan });
    const hidden = [pick.market.conditionId, pick.market.outcomes[0].tokenId, pick.matchup, "The hidden side"];
    const paths = ["", "/archive?limit=100", "/ledger", `/ledger/${pick.id}`].map((path) => TODAY_PATH + path);
    for (const path of paths) {
      const { status, text } = await registry.api.send(path, { key });
      expect({ path, status }).toEqual({ path, status: 200 });
      expect({ path, named: [...hidden, ...secrets].filter((secret) => text.includes(secret)) }).toEqual({
        path,
        named: [],
      });
    }
  });
});

/** Every row of every table but the one that keeps commitments. */
async function otherTables(db: Database): Promise<string> {
  const { rows } = await db.execute(
    sql`select table_name from information_schema.tables where table_schema = 'public' and table_name <> 'pick_commitments'`,
  );
  const texts: string[] = [];
  for (const { table_name: table } of rows) {
    const { rows: found } = await db.execute(sql.raw(`select to_jsonb(t)::text as row from "${String(table)}" t`));
    texts.push(...found.map(({ row }) => String(row)));
  }
  return texts.join("\n");
}

test("the jobs write nonce and payload to no event, no heartbeat, no other table and no log, also when opening fails", async () => {
  const { db, openPool } = await createTestDatabase();
  const pool = openPool();
  const kickoff = new Date("2026-11-21T00:00:00Z");
  const releasedAt = new Date(kickoff.getTime() - 3_600_000);
  const selectedAt = new Date(kickoff.getTime() - 7_200_000);
  const logs = await loggedBy(async () => {
    const game = await aPickGame(db, kickoff, selectedAt);
    await runPicks(pool, selectedAt);
    await readAgain(db, game, releasedAt);
    await runPicks(pool, releasedAt);
    await resolveMarket(db, game, [1_000_000, 0]);
    const failure: unknown = await settlePicks(
      pool,
      { secret: "another secret of 32 characters..." },
      () => kickoff,
    ).catch((error: unknown) => error);
    expect(String(failure)).toMatch(/cannot open the commitments of the picks \d+/);
    console.error(failure);
  });
  const [sealed] = await db.select().from(pickCommitments);
  // The drawn nonce of these jobs.
  const secrets = formsOf("2b".repeat(32), sealed?.payload ?? "", sealed?.sealedNonce ?? "");
  expect(sealed).toMatchObject({ nonce: null });
  const written = `${await otherTables(db)}\n${logs}`;
  expect(written).toContain("cannot open the commitments");
  expect(secrets.filter((secret) => written.includes(secret))).toEqual([]);
});
