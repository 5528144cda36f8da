import pg from "pg";
import { argumentsOrExit } from "../arguments-or-exit.ts";
import { findDatabaseUrl, RecomputeError } from "../recompute/arguments.ts";
import { parseLoadArguments, USAGE, type LoadArguments } from "./arguments.ts";
import { servedSince } from "./finish-load.ts";
import { FILLS_PER_TRANSACTION, loadArchive, type LoadResult } from "./load-archive.ts";
import { LoadError } from "./load-error.ts";

const count = (n: number) => n.toLocaleString("en-US");

async function main({ dataDir, ...request }: LoadArguments): Promise<void> {
  const client = new pg.Client({ connectionString: findDatabaseUrl(process.env, dataDir) });
  await client.connect().catch((cause: Error) => {
    throw new LoadError(`The database cannot be reached (${cause.message}).`, { cause });
  });
  try {
    const startedAt = performance.now();
    const result = await loadArchive(client, {
      ...request,
      fillsPerTransaction: FILLS_PER_TRANSACTION,
      now: Date.now,
      onFile(name, file) {
        if (typeof file === "string") console.log(`${name}: ${file}`);
        else console.log(`${name}: ${count(file.fills)} ${file.form}, ${count(file.unreadable)} unreadable rows`);
      },
      onProgress: (fills) => console.log(`${count(fills)} fills in the ledger`),
    });
    const seconds = (performance.now() - startedAt) / 1000;
    const rate = count(Math.round(result.fills / seconds));
    console.log(`${count(result.fills)} fills, ${count(result.added)} new, ${seconds.toFixed(1)} s, ${rate} fills/s`);
    console.log(describeWatermark(result, Date.now()));
  } finally {
    await client.end();
  }
}

function describeWatermark({ newestMs, feeds }: LoadResult, now: number): string {
  if (newestMs === null) return "Nothing to load.";
  const newest = new Date(newestMs).toISOString();
  if (feeds.length > 0) return `The live walk of ${feeds.join(" and ")} continues at ${newest}.`;
  return newestMs < servedSince(now)
    ? `The newest fill is of ${newest}. The provider's feeds no longer serve the fills after it.`
    : `The newest fill is of ${newest}. The live walks have begun and keep their watermarks.`;
}

if (process.argv.includes("--help")) console.log(USAGE);
else {
  await main(argumentsOrExit(parseLoadArguments, USAGE)).catch((error: unknown) => {
    if (!(error instanceof LoadError) && !(error instanceof RecomputeError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  });
}
