import type { Pool } from "@neondatabase/serverless";
import { beforeEach, expect, test } from "vitest";
import { sessionOf } from "../../../src/db/client.ts";
import { recordHeartbeat } from "../../../src/db/heartbeats.ts";
import { FirstFill } from "../../../src/jobs/first-fill.ts";
import { JOBS, type Job } from "../../../src/jobs/registry.ts";
import { createTestDatabase } from "../../support/database/database.ts";

const ALL: readonly Job[] = JOBS;
const namesOf = (stage: Job["firstFill"]) => ALL.filter(({ firstFill }) => firstFill === stage).map(({ name }) => name);

let pool: Pool;
/** The jobs that were made due, call by call. */
let started: string[][];

const aFirstFill = (jobs = ALL) => new FirstFill(jobs, async (due) => void started.push(due.map(({ name }) => name)));

const succeed = async (names: readonly string[]) => {
  for (const name of names) await recordHeartbeat(sessionOf(pool), name);
};

/** Feeds and markets are walked; nothing else is left to read. */
const walkEverything = () =>
  pool.query(
    `insert into ingest_checkpoints (feed, state) values
       ('trades:takers', '{"watermarkMs":1,"deepAtMs":1,"walk":null,"stored":3}'),
       ('trades:all', '{"watermarkMs":1,"deepAtMs":1,"walk":null,"stored":4}'),
       ('markets', '{"cursor":null,"closed":false,"walks":1,"stored":2}')`,
  );

const storedPhase = async () => {
  const { rows } = await pool.query(
    "select state ->> 'phase' as phase from ingest_checkpoints where feed = 'backfill'",
  );
  return rows[0]?.phase;
};

beforeEach(async () => {
  pool = (await createTestDatabase()).openPool();
  started = [];
});

test("no figure is started while a feed has not been walked to its end", async () => {
  expect(await aFirstFill().advance(pool)).toBe(false);
  expect(started).toEqual([]);
  expect(await storedPhase()).toBe("trades");
});

test("the first fill runs figures first, lists by grade after them, and then is done", async () => {
  await walkEverything();
  const fill = aFirstFill();
  expect(await fill.advance(pool)).toBe(false);
  expect(started).toEqual([namesOf("figures")]);

  await succeed(namesOf("figures").slice(1));
  expect(await fill.advance(pool)).toBe(false);
  expect(started).toHaveLength(1);

  await succeed(namesOf("figures").slice(0, 1));
  expect(await fill.advance(pool)).toBe(false);
  expect(started).toEqual([namesOf("figures"), namesOf("graded")]);
  expect(await storedPhase()).toBe("figures");

  await succeed(namesOf("graded"));
  expect(await fill.advance(pool)).toBe(true);
  expect(await storedPhase()).toBe("done");
});

test("a heartbeat from before a stage began does not complete it", async () => {
  await walkEverything();
  await succeed(namesOf("figures"));
  const fill = aFirstFill();
  await fill.advance(pool);
  await fill.advance(pool);
  expect(started).toEqual([namesOf("figures")]);
});

test("a restart repeats the stage that it interrupts", async () => {
  await walkEverything();
  await aFirstFill().advance(pool);
  await succeed(namesOf("figures"));
  await aFirstFill().advance(pool);
  expect(started).toEqual([namesOf("figures"), namesOf("figures")]);
});

test("paused jobs are neither started nor waited for", async () => {
  await walkEverything();
  const fill = aFirstFill(ALL.filter(({ heavy }) => heavy !== true));
  await fill.advance(pool);
  expect(started[0]).not.toContain("build_reports");
  await succeed(started[0] ?? []);
  await fill.advance(pool);
  expect(started).toHaveLength(2);
});
