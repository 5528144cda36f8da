import { writeFileSync } from "node:fs";
import pg from "pg";
import { createAccounts } from "./accounts.ts";
import { Api } from "./api.ts";
import { AuditError, parseAuditArguments, USAGE, type AuditArguments } from "./arguments.ts";
import { checksFor } from "./checks/index.ts";
import { comparableText } from "./compare.ts";
import { failuresOf, reportLines } from "./report.ts";
import { runChecks, type OperationResult } from "./run-checks.ts";
import { lateReads, reportEnds, watchEnds, type MarketEndTimings } from "./watch-ends.ts";
import { LedgerMirror } from "./ledger-mirror.ts";

/** Together 60 accounts may send 6,000 requests a minute, more than one machine can serve. */
const ACCOUNTS = 60;

async function main(): Promise<void> {
  const settings = parseAuditArguments(process.argv.slice(2));
  const pool = new pg.Pool({ connectionString: settings.databaseUrl, max: 4 });
  const world = new LedgerMirror(pool);
  await world.start().catch((cause: Error) => {
    throw new AuditError(`The database cannot be read (${cause.message}). Start the product first.`, { cause });
  });
  const accounts = await openAccounts(pool, settings);
  const ended = new AbortController();
  // An audit that is interrupted leaves no accounts behind.
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void accounts.remove().finally(() => process.exit(1)));
  try {
    const api = new Api(settings.baseUrl, accounts.keys);
    const endsAt = Date.now() + settings.minutes * 60_000;
    const watchedEnds =
      settings.watchEnds && settings.providerDataUrl !== null
        ? watchEnds(api, world, settings.providerDataUrl, ended.signal)
        : null;
    // A rejection is reported by the await below, not as an unhandled one.
    watchedEnds?.catch(() => undefined);
    const passes: OperationResult[][] = [];
    do {
      const startedAt = Date.now();
      const sample = <T>(all: readonly T[]) => evenly(all, settings.sample);
      const results = await runChecks(checksFor({ api, world, pool, sample }), world, {
        print: (line) => console.log(line),
      });
      passes.push(results);
      console.log(reportLines(results, (Date.now() - startedAt) / 1000).join("\n"));
    } while (Date.now() < endsAt);
    ended.abort();
    const ends = (await watchedEnds) ?? [];
    if (watchedEnds !== null) console.log(reportEnds(ends).join("\n"));
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
  key === null
    ? createAccounts(pool, credentialSecret ?? "", ACCOUNTS)
    : { keys: [key], remove: async () => undefined };

/** At most `most` entries, spread evenly over the list. */
function evenly<T>(all: readonly T[], most: number): readonly T[] {
  if (all.length <= most) return all;
  return Array.from({ length: most }, (_, n) => all[Math.floor((n * all.length) / most)]).flatMap((one) =>
    one === undefined ? [] : [one],
  );
}

const writeJson = (file: string, passes: readonly OperationResult[][], ends: readonly MarketEndTimings[]): void =>
  writeFileSync(file, `${JSON.stringify(JSON.parse(comparableText({ passes, ends })), null, 1)}\n`);

if (process.argv.includes("--help")) {
  console.log(USAGE);
} else {
  await main().catch((error: unknown) => {
    if (!(error instanceof AuditError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  });
}
