import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { parseOperatorArguments } from "../../../../scripts/operator/arguments.ts";
import { openStore, type Store } from "../../../../scripts/operator/open-store.ts";
import { runOperatorCommand } from "../../../../scripts/operator/run-command.ts";
import { OperatorCall } from "../../../../src/api/operator-call.ts";
import { isOperatorCall, SIGNATURE_HEADER } from "../../../../src/auth/operator-signature.ts";
import { hashCredential } from "../../../../src/auth/api-key-format.ts";
import { readOutbox, startOfEpoch } from "../../../../src/events/outbox/outbox-reader.ts";
import { findCredential } from "../../../../src/queries/accounts/credentials.ts";
import { listLargeTradesSince } from "../../../../src/queries/trades/large-trades.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { accounts as accountTable, pickRevisions } from "../../../../src/db/schema.ts";
import { aPick } from "../../../support/seed/picks/picks.ts";
import { aLargeTrade, passHorizon } from "../../../support/seed/large-trades.ts";
import { someEvents } from "../../../support/seed/webhooks.ts";

const CREDENTIAL_SECRET = "test-credential-secret-of-32-bytes-or-more";

let env: Record<string, string>;
let store: Store;
let accounts = 0;
/** The signed calls that the product received, each with the account as the database had it then. */
const calls: (OperatorCall & { seen: unknown })[] = [];

/** The product's route: it accepts what is signed with its secret. */
async function startProduct(): Promise<string> {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const signature = String(request.headers[SIGNATURE_HEADER]);
    const isSigned = await isOperatorCall({ current: CREDENTIAL_SECRET, previous: [] }, body, signature);
    if (isSigned) {
      const call = OperatorCall.parse(JSON.parse(body));
      const { rows } = await store.db.execute(sql`
        select a.plan, a.state, bool_or(k.revoked_at is not null) as revoked
        from accounts a join api_keys k on k.account_id = a.id where a.id = ${call.account_id} group by a.id`);
      calls.push({ ...call, seen: rows[0] });
    }
    response.writeHead(isSigned ? 204 : 404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => new Promise((resolve) => server.close(() => resolve())));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
}
const closers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const { databaseUrl } = await createTestDatabase();
  env = {
    DATABASE_URL: databaseUrl,
    CREDENTIAL_SECRET,
    API_BASE_URL: await startProduct(),
  };
  store = await openStore(env, "/nowhere");
  closers.push(() => store.close());
  return async () => {
    for (const close of closers) await close();
  };
});

const run = (line: string, on = store) =>
  runOperatorCommand(parseOperatorArguments(line.split(" ")).command, on, new Date());
const anEmail = () => `person-${++accounts}@example.test`;

/** The key as the API finds it. */
const stored = async (key: string) => findCredential(store.db, [await hashCredential(CREDENTIAL_SECRET, key)]);
async function anAccountWithKey(): Promise<{ email: string; key: string; id: string }> {
  const email = anEmail();
  await run(`create-account ${email} --plan pro`);
  const [, id = "", key = ""] = /^Key (\d+) of .*\n(\S+)$/.exec(await run(`issue-key ${email}`)) ?? [];
  return { email, key, id };
}

test("create-account creates an account once, on its plan, under its e-mail address in lower case", async () => {
  const email = anEmail();
  expect(await run(`create-account ${email.toUpperCase()} --plan max`)).toMatch(
    new RegExp(`^${email} has account \\d+ on the plan max\\.$`),
  );
  await expect(run(`create-account ${email} --plan free`)).rejects.toThrow(`${email} has an account already.`);
  expect(await run(`list ${email}`)).toMatch(/ {2}max {2}active$/);
});

describe("issued keys", () => {
  test("issue-key creates a key with every scope and shows it once", async () => {
    const { email, key } = await anAccountWithKey();
    expect(key).toMatch(/^svc_sk_live_[0-9a-f]{64}$/);
    expect(await stored(key)).toMatchObject({
      scopes: ["read", "webhooks", "export", "usage"],
      plan: "pro",
      revoked: false,
    });
    expect(await run(`list ${email}`)).toContain(key.slice(0, 20));
    expect(await run("list")).not.toContain(key.slice(-64));
  });

  test("issue-key creates a key with the requested scopes only", async () => {
    const { email } = await anAccountWithKey();
    const key = (await run(`issue-key ${email} --scopes usage,read --name robot`)).split("\n")[1] ?? "";
    expect((await stored(key))?.scopes).toEqual(["usage", "read"]);
    expect(await run(`list ${email}`)).toMatch(/ {2}robot {2}usage,read {2}live$/);
  });

  test("issue-key refuses a fifty-first live key", async () => {
    const { email } = await anAccountWithKey();
    await store.db.execute(sql`
      insert into api_keys (account_id, key_hash, prefix, scopes)
      select a.id, a.email || ' ' || i, 'svc_sk_live_', '{read}' from accounts a, generate_series(1, 48) i where a.email = ${email}`);
    expect(await run(`issue-key ${email}`)).toMatch(/^Key \d+/);
    await expect(run(`issue-key ${email}`)).rejects.toThrow(`${email} has 50 live keys already. Revoke one first.`);
  });

  test("issue-key refuses an unknown account", async () => {
    await expect(run("issue-key nobody@example.test")).rejects.toThrow("There is no account of nobody@example.test.");
  });

  test("issue-key needs the Worker's secret", async () => {
    const { CREDENTIAL_SECRET: _secret, ...without } = env;
    const other = await openStore(without, "/nowhere");
    onTestFinished(() => other.close());
    const { email } = await anAccountWithKey();
    await expect(run(`issue-key ${email}`, other)).rejects.toThrow("CREDENTIAL_SECRET");
  });
});

describe("meters of changed accounts", () => {
  test.for([
    ["set-plan", "max", { plan: "max" }],
    ["set-state", "locked", { state: "locked" }],
  ] as const)(
    "%s makes the account's meter read it again, before and after the change",
    async ([command, value, expected]) => {
      const { email, key } = await anAccountWithKey();
      const account_id = (await stored(key))?.account_id;
      calls.length = 0;
      await run(`${command} ${email} ${value}`);
      expect(calls).toMatchObject([
        { action: "forget", account_id, seen: { plan: "pro", state: "active" } },
        { action: "forget", account_id, seen: expected },
      ]);
      expect(await stored(key)).toMatchObject(expected);
    },
  );

  test("revoke-key makes the meter refuse the key before the database says so", async () => {
    const { key, id } = await anAccountWithKey();
    calls.length = 0;
    expect(await run(`revoke-key ${id}`)).toMatch(/is revoked\.$/);
    const hashes = [await hashCredential(CREDENTIAL_SECRET, key)];
    expect(calls).toMatchObject([{ action: "refuse", hashes, seen: { revoked: false } }]);
    expect(await stored(key)).toMatchObject({ revoked: true });
    expect(await run(`revoke-key ${id}`)).toMatch(/was revoked at \d{4}-/);
  });
});

describe("operator commands without the product", () => {
  const openAt = async (settings: Record<string, string | undefined>) => {
    const opened = await openStore({ ...env, ...settings }, "/nowhere");
    onTestFinished(() => opened.close());
    return opened;
  };
  const AWAY = { API_BASE_URL: "http://127.0.0.1:1" };

  test("revoke-key revokes nothing while the product is away", async () => {
    const { key, id } = await anAccountWithKey();
    await expect(run(`revoke-key ${id}`, await openAt(AWAY))).rejects.toThrow("Nothing has been revoked");
    expect(await stored(key)).toMatchObject({ revoked: false });
  });

  test("set-state changes nothing while the product is away", async () => {
    const { email, key } = await anAccountWithKey();
    await expect(run(`set-state ${email} locked`, await openAt(AWAY))).rejects.toThrow("Run this again.");
    expect(await stored(key)).toMatchObject({ state: "active" });
  });

  test("a command with another secret than the product's changes nothing and says so", async () => {
    const { key, id } = await anAccountWithKey();
    const wrong = await openAt({ CREDENTIAL_SECRET: "another-secret-of-32-bytes-or-more-than-that" });
    await expect(run(`revoke-key ${id}`, wrong)).rejects.toThrow("check API_BASE_URL and CREDENTIAL_SECRET");
    expect(await stored(key)).toMatchObject({ revoked: false });
  });

  test("a command without the product's address does its work and reports what it could not update", async () => {
    const { key, id } = await anAccountWithKey();
    const done = await run(`revoke-key ${id}`, await openAt({ API_BASE_URL: undefined }));
    expect(done).toContain("API_BASE_URL or CREDENTIAL_SECRET is not set");
    expect(await stored(key)).toMatchObject({ revoked: true });
  });
});

test.for([
  ["", "There is no command"],
  ["fly", "There is no command fly."],
  ["create-account", "too few or too many"],
  ["create-account a@example.test", "the plan must be free, pro or max"],
  ["create-account nobody --plan pro", "EMAIL must be an e-mail address"],
  ["set-plan a@example.test gold", "the plan must be free, pro or max"],
  ["set-state a@example.test", "too few or too many"],
  ["set-state a@example.test gone", "the state must be"],
  ["issue-key a@example.test --scopes read,trade", "--scopes must be some of"],
  ["revoke-key one", "ID must be a positive whole number"],
  ["revoke-key 1 2", "too few or too many"],
  ["list a@example.test b@example.test", "arguments"],
  ["list --colour", "--colour"],
])("the operator command %j is refused", ([line = "", words = ""]) => {
  expect(() => parseOperatorArguments(line.split(" "))).toThrow(words);
});

test("an operator command without DATABASE_URL uses the product of a data directory", async () => {
  const dir = mkdtempSync(join(tmpdir(), "operator-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  await expect(openStore({}, dir)).rejects.toThrow(dir);
  const lines = Object.entries(env).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  writeFileSync(join(dir, "worker.env"), `${lines.join("\n")}\n`);
  const local = await openStore({}, dir);
  onTestFinished(() => local.close());
  const email = anEmail();
  await run(`create-account ${email} --plan free`, local);
  expect(await run(`list ${email}`)).toContain(email);
});

test("an operator command reports a database that cannot be reached", async () => {
  await expect(openStore({ DATABASE_URL: "postgres://127.0.0.1:1/none" }, "/nowhere")).rejects.toThrow(
    "cannot be reached",
  );
});

test("withdraw-pick withdraws a pick once", async () => {
  const { id } = await aPick(store.db, { date: "2026-11-20" });
  expect(await run(`withdraw-pick ${id}`)).toBe(`Pick ${id} is withdrawn.`);
  const revisions = await store.db.select().from(pickRevisions);
  expect(revisions).toMatchObject([{ pickId: id, withdrawnFor: "operator", outcome: null }]);
  for (const pick of [id, 999_999])
    await expect(run(`withdraw-pick ${pick}`)).rejects.toThrow(`There is no pick ${pick}`);
});

test("begin-epoch begins another epoch of the events, named by the clock's seconds, at most once a second", async () => {
  const { databaseUrl } = await createTestDatabase();
  const restored = await openStore({ ...env, DATABASE_URL: databaseUrl }, "/nowhere");
  onTestFinished(() => restored.close());
  const [event] = await someEvents(restored.db, [{}]);
  await restored.db
    .execute(sql`insert into games (provider_game_id, event_slug, sport, competitors, observed_at, version)
    values ('7', 'nba-bos-lal-2026-11-20', 'nba', '[]', now(), 3)`);
  const at = (time: string) =>
    runOperatorCommand(parseOperatorArguments(["begin-epoch"]).command, restored, new Date(time));
  expect(await at("2026-11-20T12:00:00.900Z")).toMatch(/^Epoch 1795176000 of the events has begun\./);
  expect((await readOutbox(restored.db, startOfEpoch(1), 1)).isContiguous).toBe(false);
  const { rows } = await restored.db.execute(sql`select version from games`);
  expect(rows).toEqual([{ version: 10_003 }]);
  const [after] = await someEvents(restored.db, [{}]);
  expect([event, after]).toEqual(["evt_1_1", "evt_1795176000_1000002"]);
  for (const time of ["2026-11-20T12:00:00.999Z", "2026-11-20T11:59:59Z"])
    await expect(at(time)).rejects.toThrow("Nothing has changed.");
  expect(await at("2026-11-20T12:00:01Z")).toMatch(/^Epoch 1795176001 /);
  expect(() => parseOperatorArguments(["begin-epoch", "7"])).toThrow("too few or too many arguments");
});

test("after begin-epoch no row id from before is issued again, also by a large table, and no refresh token works", async () => {
  const { databaseUrl } = await createTestDatabase();
  const restored = await openStore({ ...env, DATABASE_URL: databaseUrl }, "/nowhere");
  onTestFinished(() => restored.close());
  const { db } = restored;
  const addAccount = async () => {
    const [added] = await db
      .insert(accountTable)
      .values({ email: anEmail(), plan: "pro" })
      .returning({ id: accountTable.id });
    return added?.id ?? 0;
  };
  const first = await addAccount();
  await db.execute(sql`select setval('ledger_entries_id_seq', 500000000)`);
  await db.execute(sql`insert into oauth_clients (id, name, redirect_uris, grant_types, scopes, created_at, used_at)
    values ('client', 'a client', '{}', '{}', '{read}', now(), now())`);
  await db.execute(sql`insert into oauth_grants (account_id, client_id, scopes, resource, created_at, expires_at)
    values (${first}, 'client', '{read}', 'api', now(), now() + interval '1 day')`);
  await db.execute(sql`insert into oauth_refresh_tokens (hash, grant_id, generation, created_at, expires_at)
    select 'hash', id, 0, now(), now() + interval '1 day' from oauth_grants`);
  const done = await runOperatorCommand(
    parseOperatorArguments(["begin-epoch"]).command,
    restored,
    new Date("2026-11-20T12:00:00Z"),
  );
  expect(done).toContain("1 OAuth refresh tokens are void");
  expect(await addAccount()).toBe(first + 1_000_001);
  const { rows } = await db.execute(sql`select nextval('ledger_entries_id_seq')::int as id,
    (select count(*) from oauth_refresh_tokens)::int as tokens`);
  expect(rows).toEqual([{ id: 550_000_001, tokens: 0 }]);
});

test("polls for large trades continue after a restore that restarts the transaction numbers", async () => {
  const { databaseUrl } = await createTestDatabase();
  const restored = await openStore({ ...env, DATABASE_URL: databaseUrl }, "/nowhere");
  onTestFinished(() => restored.close());
  const { db } = restored;
  const [first, second] = [await aLargeTrade(db), await aLargeTrade(db)];
  const committed = async () =>
    (await db.execute(sql`select commit_xid::text as xid from large_trades order by id`)).rows;
  const begin = (time: string) =>
    runOperatorCommand(parseOperatorArguments(["begin-epoch"]).command, restored, new Date(time));
  await passHorizon(db);
  const before = await committed();
  await begin("2026-11-20T12:00:00Z");
  expect(await committed()).toEqual(before);
  // As a dump restores them: with transaction ids far beyond this server's.
  await db.execute(sql`update large_trades set commit_xid = (9000000000000 + id)::text::xid8`);
  await begin("2026-11-20T12:00:01Z");
  const third = await aLargeTrade(db);
  const all = { minSizeUsd: 0, category: null, grades: null, suspiciousOnly: false, minMarketVolumeShare: null };
  const since = async (id: number) =>
    (await listLargeTradesSince(db, all, id, { cursor: null, limit: 10 }))?.rows.map((trade) => trade.id);
  await expect.poll(() => since(first), { timeout: 10_000 }).toEqual([third, second]);
  expect([await since(second), await since(third)]).toEqual([[third], []]);
});
