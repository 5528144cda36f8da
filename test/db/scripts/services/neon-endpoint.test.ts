import { neon, NeonDbError, neonConfig, Pool } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/neon-serverless";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";

let database: TestDatabase;
let query: ReturnType<typeof neon>;

beforeAll(async () => {
  database = await createTestDatabase();
  query = neon(database.databaseUrl);
  neonConfig.webSocketConstructor = WebSocket;
  await query`create table notes (id integer primary key, body text unique, at timestamptz, tags text[], data jsonb, amount numeric(20, 6), raw bytea)`;
});

describe("a statement over HTTP", () => {
  test("the values of an HTTP statement are parsed by the driver by type", async () => {
    await query`insert into notes values (1, ${"one"}, ${new Date("2026-01-02T03:04:05.678Z")}, ${["a", "b,c"]}, ${{ k: [1] }}, ${"12.345678"}, ${Buffer.from([1, 255])})`;
    const { rows, rowCount, command, fields } = await neon(database.databaseUrl, { fullResults: true }).query(
      "select id, body, tags, data, amount, raw, null::text as nothing, count(*) over () as n from notes where id = $1",
      [1],
    );
    expect(rows).toEqual([
      {
        id: 1,
        body: "one",
        tags: ["a", "b,c"],
        data: { k: [1] },
        amount: "12.345678",
        raw: Buffer.from([1, 255]),
        nothing: null,
        n: "1",
      },
    ]);
    expect({ rowCount, command, names: fields.map((field) => field.name) }).toMatchObject({
      rowCount: 1,
      command: "SELECT",
    });
    expect(fields.map((field) => [field.name, field.dataTypeID]).slice(0, 2)).toEqual([
      ["id", 23],
      ["body", 25],
    ]);
  });

  test("an HTTP statement returns rows as arrays on request, even with two columns of one name", async () => {
    expect(await neon(database.databaseUrl, { arrayMode: true }).query("select 1 as a, 2 as a")).toEqual([[1, 2]]);
  });

  test("an HTTP request with two statements is refused, as on the real service", async () => {
    await expect(query.query("select 1; select 2")).rejects.toMatchObject({ code: "42601", severity: "ERROR" });
  });

  test("a failed HTTP statement has the server's error fields", async () => {
    await query`insert into notes (id, body) values (7, 'seven')`;
    const failure: unknown = await query`insert into notes (id, body) values (7, 'eight')`.catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(NeonDbError);
    expect(failure).toMatchObject({
      message: 'duplicate key value violates unique constraint "notes_pkey"',
      code: "23505",
      detail: "Key (id)=(7) already exists.",
      schema: "public",
      table: "notes",
      constraint: "notes_pkey",
      severity: "ERROR",
    });
    await expect(query.query("select nothing_here from notes")).rejects.toMatchObject({ code: "42703", position: "8" });
  });

  test("an HTTP statement runs in the database of its connection string", async () => {
    const other = await createTestDatabase();
    const [row] = await neon(other.databaseUrl)`select current_database() as name, to_regclass('notes') as notes`;
    expect(row).toEqual({ name: new URL(other.databaseUrl).pathname.slice(1), notes: null });
    await expect(
      neon(database.databaseUrl.replace(/\/test_\w+$/, "/no_such_database"))`select 1`,
    ).rejects.toMatchObject({ code: "3D000" });
  });
});

describe("a batch over HTTP", () => {
  test("a batch is one transaction with the requested isolation", async () => {
    const results = await query.transaction(
      [
        query`select txid_current_if_assigned() as id`,
        query`show transaction_isolation`,
        query`show transaction_read_only`,
        query`show transaction_deferrable`,
      ],
      { isolationLevel: "Serializable", readOnly: true, deferrable: true },
    );
    expect(results.slice(1)).toEqual([
      [{ transaction_isolation: "serializable" }],
      [{ transaction_read_only: "on" }],
      [{ transaction_deferrable: "on" }],
    ]);
    const [plain] = await query.transaction([query`show transaction_isolation`]);
    expect(plain).toEqual([{ transaction_isolation: "read committed" }]);
  });

  test("a failed batch stores nothing, and the next one is served", async () => {
    const failing = query.transaction([query`insert into notes (id) values (20)`, query`select 1 / 0`]);
    await expect(failing).rejects.toMatchObject({ code: "22012" });
    expect(await query.transaction([query`select count(*)::int as n from notes where id = 20`])).toEqual([[{ n: 0 }]]);
  });

  test("a read-only batch cannot write", async () => {
    await expect(
      query.transaction([query`insert into notes (id) values (21)`], { readOnly: true }),
    ).rejects.toMatchObject({
      code: "25006",
    });
  });
});

describe("a session over WebSocket", () => {
  test("a session keeps its state between statements and transfers a large value completely", async () => {
    const pool = database.openPool();
    const client = await pool.connect();
    await client.query("create temporary table kept (body text)");
    const body = "x".repeat(3_000_000);
    await client.query("insert into kept values ($1)", [body]);
    const { rows } = await client.query<{ body: string }>("select body from kept");
    client.release();
    expect(rows[0]?.body === body).toBe(true);
  });

  test("a session serves drizzle and its transactions", async () => {
    const pool = database.openPool();
    const db = drizzle(pool);
    const rolledBack = db.transaction(async (tx) => {
      await tx.execute(sql`insert into notes (id) values (30)`);
      throw new Error("no");
    });
    await expect(rolledBack).rejects.toThrow("no");
    const { rows } = await db.execute(sql`select count(*)::int as n from notes where id = 30`);
    expect(rows).toEqual([{ n: 0 }]);
  });

  test("a session with an unknown database is refused with the server's code", async () => {
    const url = new URL(inject("services").postgresUrl);
    url.pathname = "/no_such_database";
    const pool = new Pool({ connectionString: url.href });
    await expect(pool.query("select 1")).rejects.toMatchObject({ code: "3D000" });
    await pool.end();
  });
});
