import { argumentsOrExit } from "../arguments-or-exit.ts";
import { parseFaultsArguments, USAGE } from "./arguments.ts";
import { runFileFaults } from "./file-faults.ts";
import { holds, runRestoreDrill } from "./restore/restore-drill.ts";
import { runStreamDeploy } from "./stream-deploy.ts";
import { runWebhookFaults } from "./webhook-faults.ts";
import { MINUTE_MS } from "../../src/scoring/utc-calendar.ts";

/*
 * npm run faults -- webhooks [--minutes N] [--events N] [--seed N]: publishes events while the Worker, the
 * queue and Postgres are killed at random. At the end every acknowledged event must be delivered or
 * dead-lettered.
 *
 * npm run faults -- files [--minutes N] [--seed N]: runs datasets and trader exports while consumers are killed, the
 * object store fails and Postgres is lost at random. Each job must end with the right file or fail, and leave nothing.
 *
 * npm run faults -- stream-deploy [--connections N]: replaces the objects of the stream and then the whole Worker while
 * events are published. Each connection must get each event once and in order, and the rejoins must be spread.
 *
 * npm run faults -- restore: loses the database, restores an earlier moment and begins an epoch, as in docs/operations.md.
 * It checks credentials, cursors, the stream, deliveries, usage and the stored figures.
 */
const MOST_SEEDS = 1_000_000;

const { target, minutes, events, connections, seed: given } = argumentsOrExit(parseFaultsArguments, USAGE);
const seed = given ?? 1 + Math.floor(Math.random() * MOST_SEEDS);
const log = (line: string) => console.log(line);
const ofTarget = target === "webhooks" ? ` --events ${events}` : "";
if (target === "webhooks" || target === "files")
  log(`To repeat this run: npm run faults -- ${target} --minutes ${minutes}${ofTarget} --seed ${seed}`);
const TESTS = { webhooks: testWebhooks, files: testFiles, "stream-deploy": testStream, restore: testRestore };
const isSound = await TESTS[target]();
if (!isSound) process.exitCode = 1;

async function testWebhooks(): Promise<boolean> {
  const result = await runWebhookFaults({ events, seed, seconds: minutes * 60, skipsWaiting: false, log });
  const { acknowledged, kills, statuses, lost, repeats } = result;
  const unfinished = Object.keys(statuses).filter((status) => status !== "delivered" && status !== "dead_letter");
  log(
    `${acknowledged} events, ${JSON.stringify(kills)} kills: ${JSON.stringify(statuses)}, ${repeats} repeats, ${lost.length} lost`,
  );
  for (const line of lost.slice(0, 20)) log(line);
  return lost.length === 0 && unfinished.length === 0;
}

async function testStream(): Promise<boolean> {
  const { published, faults, rejoins } = await runStreamDeploy({ connections, log });
  log(`${connections} connections, ${published} events: ${faults.length} faults`);
  for (const { of, count, seconds, mostInOneSecond } of rejoins)
    log(
      `${of}: ${count} rejoins in ${seconds.toFixed(1)} s, ${Math.round(count / seconds)} a second on average, at most ${mostInOneSecond} in one second`,
    );
  for (const line of faults.slice(0, 20)) log(line);
  return faults.length === 0;
}

async function testFiles(): Promise<boolean> {
  const endsAtMs = Date.now() + minutes * MINUTE_MS;
  const { jobs, happened, ends, faults } = await runFileFaults({ seed, log, goesOn: () => Date.now() < endsAtMs });
  log(`${jobs} jobs, ${JSON.stringify(happened)}: ${JSON.stringify(ends)}, ${faults.length} faults`);
  for (const line of faults.slice(0, 20)) log(line);
  return faults.length === 0;
}

async function testRestore(): Promise<boolean> {
  const checks = await runRestoreDrill(log);
  for (const check of checks) {
    const { name, expected, actual } = check;
    log(
      holds(check) ? `ok      ${name}` : `FAILED  ${name}: ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`,
    );
  }
  return checks.every(holds);
}
