import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../../../../scripts/services/free-port.ts";
import { startPostgres, type EmbeddedPostgres } from "../../../../scripts/services/postgres/postgres.ts";

const dataDir = mkdtempSync(join(tmpdir(), "postgres-test-"));
const options = { dataDir, log: () => undefined };
let postgres: EmbeddedPostgres;

beforeAll(async () => {
  postgres = await startPostgres({ ...options, port: await freePort() });
  await runSql("create table kept (n integer)");
});

afterAll(async () => {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function runSql(text: string, port = postgres.port): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: `postgres://postgres@127.0.0.1:${port}/postgres` });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

test("the embedded server is the PostgreSQL 18 of npm in UTF-8, and folds the case of accented letters", async () => {
  expect(
    await runSql(
      "select current_setting('server_version_num')::int / 10000 as major, current_setting('server_encoding') as encoding, lower('ÉLYSÉE') as folded",
    ),
  ).toEqual([{ major: 18, encoding: "UTF8", folded: "élysée" }]);
});

test("a crashed server serves again on the same port with all committed data after a restart", async () => {
  await runSql("insert into kept values (1)");
  await postgres.crash();
  await expect(runSql("select 1")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  await postgres.restart();
  expect(await runSql("select n from kept")).toEqual([{ n: 1 }]);
});

test("the lock of a killed server does not prevent a start, even if another process has its process id", async () => {
  await postgres.stop();
  for (const pid of [4_000_000, process.pid]) {
    writeFileSync(join(dataDir, "postmaster.pid"), `${pid}\n${dataDir}\n`);
    await postgres.restart();
    expect(await runSql("select n from kept")).toEqual([{ n: 1 }]);
    await postgres.stop();
    expect(existsSync(join(dataDir, "postmaster.pid"))).toBe(false);
  }
  await postgres.restart();
});

test("a start on data in use is refused with the process id of its owner", async () => {
  await expect(startPostgres({ ...options, port: await freePort() })).rejects.toThrow(
    `already runs on ${dataDir}, started by process ${process.pid}`,
  );
});

test("a server whose starter was killed is ended, and its data is taken over", async () => {
  await postgres.stop();
  const port = await freePort();
  const starter = spawn(
    process.execPath,
    [
      ...["--disable-warning=ExperimentalWarning", "--input-type=module", "-e"],
      `import { startPostgres } from "./scripts/services/postgres/postgres.ts";
       await startPostgres({ dataDir: ${JSON.stringify(dataDir)}, port: ${port}, log() {} });
       console.log("serves");
       setInterval(() => {}, 1000);`,
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  await once(starter.stdout, "data");
  starter.kill("SIGKILL");
  await once(starter, "exit");
  expect(await runSql("select n from kept", port)).toEqual([{ n: 1 }]);

  await postgres.restart();
  expect(await runSql("select n from kept")).toEqual([{ n: 1 }]);
  await expect(runSql("select 1", port)).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

test("a server that ends by itself reports it, and a stopped one does not", async () => {
  let ended = false;
  const markEnded = () => (ended = true);
  void postgres.ended.then(markEnded);
  await postgres.stop();
  await postgres.restart();
  expect(ended).toBe(false);
  void postgres.ended.then(markEnded);
  process.kill(Number(readFileSync(join(dataDir, "postmaster.pid"), "utf8").split("\n")[0]), "SIGQUIT");
  await expect.poll(() => ended).toBe(true);
});
