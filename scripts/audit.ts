import { writeFileSync } from "node:fs";
import pg from "pg";
import { makeAccounts } from "./audit/accounts.ts";
import { Api } from "./audit/api.ts";
import { AuditError, parseAuditArguments, USAGE, type AuditArguments } from "./audit/arguments.ts";
import { checksFor } from "./audit/checks/index.ts";
import { asText } from "./audit/compare.ts";
import { failuresOf, reportLines } from "./audit/report.ts";
import { runChecks, type OperationResult } from "./audit/run-checks.ts";
import { lateReads, reportEnds, watchEnds, type WatchedEnd } from "./audit/watch-ends.ts";
import { World } from "./audit/world.ts";

/** Together they may ask 6,000 times a minute, which is beyond what one machine answers. */
const ACCOUNTS = 60;

async function main(): Promise<void> {
  const settings = parseAuditArguments(process.argv.slice(2));
  const pool = new pg.Pool({ connectionString: settings.databaseUrl, max: 4 });
  const world = new World(pool);
  await world.start().catch((cause: Error) => {
    throw new AuditError(`The database cannot be read (${cause.message}). The product has to be running.`, { cause });
  });
  const accounts = await openAccounts(pool, settings);
  const ended = new AbortController();
  // An audit that is interrupted leaves no accounts behind.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void accounts.remove().finally(() => process.exit(1)));
  try {
    const api = new Api(settings.baseUrl, accounts.keys);
    const endsAt = Date.now() + settings.minutes * 60_000;
    const watching =
      settings.watchEnds && settings.providerDataUrl !== null ? watchEnds(api, world, settings.providerDataUrl, ended.signal) : null;
    // What ends the watching before its time is thrown where it is waited for.
    watching?.catch(() => undefined);
    const passes: OperationResult[][] = [];
    do {
      const startedAt = Date.now();
      const sample = <T>(all: readonly T[]) => evenly(all, settings.sample);
      const results = await runChecks(checksFor({ api, world, pool, sample }), world, { print: (line) => console.log(line) });
      passes.push(results);
      console.log(reportLines(results, (Date.now() - startedAt) / 1000).join("\n"));
    } while (Date.now() < endsAt);
    ended.abort();
    const ends = (await watching) ?? [];
    if (watching !== null) console.log(reportEnds(ends).join("\n"));
    if (settings.json !== null) writeJson(settings.json, passes, ends);
    if (passes.some((results) => failuresOf(results).length > 0) || lateReads(ends).length > 0) process.exitCode = 1;
  } finally {
    ended.abort();
    await world.stop();
    await accounts.remove();
    await pool.end();
  }
}

const openAccounts = async (pool: pg.Pool, { key, credentialSecret }: AuditArguments) =>
  key === null ? makeAccounts(pool, credentialSecret ?? "", ACCOUNTS) : { keys: [key], remove: async () => undefined };

/** So many of them, spread over all. */
function evenly<T>(all: readonly T[], most: number): readonly T[] {
  if (all.length <= most) return all;
  return Array.from({ length: most }, (_, n) => all[Math.floor((n * all.length) / most)]).flatMap((one) =>
    one === undefined ? [] : [one],
  );
}

const writeJson = (file: string, passes: readonly OperationResult[][], ends: readonly WatchedEnd[]): void =>
  writeFileSync(file, `${JSON.stringify(JSON.parse(asText({ passes, ends })), null, 1)}\n`);

if (process.argv.includes("--help")) {
  console.log(USAGE);
} else {
  await main().catch((error: unknown) => {
    if (!(error instanceof AuditError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  });
}
