import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { Database } from "../../../../src/db/client.ts";
import { pickCommitments } from "../../../../src/db/schema.ts";
import type { Plan } from "../../../../src/domain/accounts/accounts.ts";
import { OPERATIONS } from "../../../../src/operations/index.ts";
import type { Runtime } from "../../../../src/runtime.ts";
import { settlePicks } from "../../../../src/ingest/picks/settle-picks.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { aPickGame, readAgain, resolveMarket, runPicks } from "../../../support/ingest/pick-game.ts";
import { pathOf } from "../../../support/kernel/registry-paths.ts";
import { openRegistryApi, READS, type RegistryApi } from "../../../support/registry/open-registry-api.ts";
import type { SeededPick } from "../../../support/seed/picks/picks.ts";
import { formsOf, someSealedPicks, type SealedPicks } from "../../../support/seed/picks/sealed-picks.ts";
import { TODAY_PATH } from "../../../support/seed/picks/pick-readers.ts";
import { productDayOf } from "../../../../src/domain/picks/pick-schedule.ts";
import { aKey } from "../../../support/kernel/keys.ts";
import { callTool } from "../../../support/mcp/mcp-calls.ts";

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

/** Who asks: without a key, or with that of an account on a plan. */
const READERS = ["anonymous", "free", "pro", "max"] as const;
type Reader = (typeof READERS)[number];

describe("with sealed picks in the database", () => {
  const cached: string[] = [];
  let registry: RegistryApi;
  let picks: SealedPicks;
  let keys: Record<Reader, string | null>;

  /** Records what is written to the shared caches. */
  const recordCache = (runtime: Runtime): Runtime => ({
    ...runtime,
    sharedResponses: {
      get: (name) => runtime.sharedResponses.get(name),
      set: (name, value, ttl) => (cached.push(`${name} ${value}`), runtime.sharedResponses.set(name, value, ttl)),
    },
    cache: {
      getMany: (names) => runtime.cache.getMany(names),
      set: (name, value, ttl) => (cached.push(`${name} ${value}`), runtime.cache.set(name, value, ttl)),
      delete: (name) => runtime.cache.delete(name),
      ping: () => runtime.cache.ping(),
    },
  });

  beforeAll(async () => {
    registry = await openRegistryApi(recordCache);
    picks = await someSealedPicks(registry.db);
    const keyOf = (plan: Plan) => aKey(registry.db, { plan });
    keys = { anonymous: null, free: await keyOf("free"), pro: await keyOf("pro"), max: await keyOf("max") };
  });

  const leaksIn = (text: string) => picks.secrets.filter((secret) => text.includes(secret));

  /** The response to every operation, and to the further reads of picks, by operation or path. */
  async function walk(key: string | null): Promise<Record<string, string>> {
    const answers: Record<string, string> = {};
    for (const operation of OPERATIONS.filter(({ kind }) => kind !== "stream")) {
      const { status, text, headers } = READS.includes(operation)
        ? await registry.request(operation, "", {}, key)
        : await registry.api.send(pathOf(operation), { method: operation.method.toUpperCase(), key });
      answers[operation.id] = `${status} ${JSON.stringify([...headers])} ${text}`;
    }
    const all = [...picks.sealed, picks.slot, picks.opened];
    const today = productDayOf(new Date());
    for (const path of [...all.map(({ id }) => `/ledger/${id}`), "/archive?limit=100", `?date=${today}`])
      answers[path] = (await registry.api.send(TODAY_PATH + path, { key })).text;
    for (const operation of OPERATIONS) {
      if (operation.mcpTool === null) continue;
      const args = registry.argumentsOf(operation);
      answers[`tool ${operation.mcpTool}`] = (await callTool(registry.api, operation.mcpTool, args, { key })).text;
    }
    return answers;
  }

  test("each secret is a different text, none of them short", () => {
    expect(picks.sealed).toHaveLength(4);
    expect(new Set(picks.secrets.filter((secret) => secret.length > 8)).size).toBe(4 * 8);
  });

  test.each(READERS)("no operation returns, caches or logs a nonce or a payload for the reader: %s", async (reader) => {
    let answers: Record<string, string> = {};
    const logs = await loggedBy(async () => {
      answers = await walk(keys[reader]);
    });
    // The walk reaches the picks: all are in the public ledger, which shows the one that is open.
    for (const { id } of picks.sealed) {
      expect(answers["getPickOfTheDayLedger"]).toContain(`"pick_id":"${id}"`);
      expect(answers[`/ledger/${id}`]).toContain('"state":"sealed"');
    }
    expect(answers["getPickOfTheDayLedger"]).toContain(picks.opened.nonce);
    expect(answers["getPickOfTheDay"]?.includes("The hidden side")).toBe(reader === "max");
    expect(answers["tool get_pick_of_the_day"]?.includes("The hidden side")).toBe(reader === "max");
    expect(Object.entries(answers).filter(([, text]) => leaksIn(text).length > 0)).toEqual([]);
    expect(leaksIn(logs)).toEqual([]);
    // The first walk stores the public ledger.
    expect(cached.join("\n")).toContain(picks.opened.nonce);
    expect(leaksIn(cached.join("\n"))).toEqual([]);
  });

  const namesOf = ({ market, matchup }: SeededPick) => [
    ...[market.conditionId, matchup, matchup.split(" vs. ")[0] ?? ""],
    ...market.outcomes.map(({ tokenId }) => tokenId),
  ];
  const READ_PATHS = ["", "/archive?limit=100", "/ledger"].map((path) => TODAY_PATH + path);

  test.each(["free", "pro"] as const)("no read of picks names a locked game or side to a %s account", async (plan) => {
    // Those that have begun are locked too: they open when they settle.
    const hidden = picks.sealed.flatMap(namesOf);
    for (const path of [...READ_PATHS, ...picks.sealed.map(({ id }) => `${TODAY_PATH}/ledger/${id}`)]) {
      const { status, text } = await registry.api.send(path, { key: keys[plan] });
      expect({ path, status }).toEqual({ path, status: 200 });
      expect({ path, named: hidden.filter((name) => text.includes(name)) }).toEqual({ path, named: [] });
    }
  });

  test.each(["free", "pro"] as const)("no tool names a locked game or side to a %s account", async (plan) => {
    const hidden = picks.sealed.flatMap(namesOf);
    for (const tool of ["get_pick_of_the_day", "get_pick_of_the_day_archive"]) {
      const { text } = await callTool(registry.api, tool, {}, { key: keys[plan] });
      expect({ tool, named: hidden.filter((name) => text.includes(name)) }).toEqual({ tool, named: [] });
    }
  });

  test.each(READERS)("no read of picks names the game or the side of a slot to the reader: %s", async (reader) => {
    for (const path of READ_PATHS) {
      const { text } = await registry.api.send(path, { key: keys[reader] });
      expect({ path, named: namesOf(picks.slot).filter((name) => text.includes(name)) }).toEqual({ path, named: [] });
    }
    const { text: ofMax } = await registry.api.send(TODAY_PATH, { key: keys.max });
    expect(ofMax).toContain(`"pick_id":"${picks.slot.id}"`);
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
      { keys: { current: "another secret of 32 characters...", previous: [] } },
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
