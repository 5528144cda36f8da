import pg from "pg";
import { findDatabaseUrl, parseRecomputeArguments, RecomputeError, USAGE } from "./arguments.ts";
import type { StoredDifference } from "./figures.ts";
import { recompute, type RecomputeTotals } from "./recompute.ts";
import { progressLine } from "./progress-line.ts";

const count = (n: number) => n.toLocaleString("en-US");
const present = ({ table, key, field, stored, computed }: StoredDifference) =>
  `${table} ${key} ${field}: stored ${stored ?? "null"}, computed ${computed ?? "null"}`;
const summaryOf = ({ traders, entries, differences }: RecomputeTotals) =>
  `${count(traders)} traders, ${count(entries)} entries, ${count(differences)} differences`;

async function main(): Promise<void> {
  const { verify, dataDir } = parseRecomputeArguments(process.argv.slice(2));
  const client = new pg.Client({ connectionString: findDatabaseUrl(process.env, dataDir) });
  await client.connect().catch((cause: Error) => {
    throw new RecomputeError(`The database cannot be reached (${cause.message}). Start the local product first.`, {
      cause,
    });
  });
  const progress = progressLine();
  try {
    const startedAt = performance.now();
    const done = await recompute(client, {
      verify,
      onDifference: (difference) => progress.print(present(difference)),
      onProgress: (state) => progress.show(summaryOf(state)),
    });
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    progress.print(`${summaryOf(done)}${!verify && done.differences > 0 ? ", repaired" : ""}, ${seconds} s`);
    if (verify && done.differences > 0) process.exitCode = 1;
  } finally {
    progress.end();
    await client.end();
  }
}

// Compares the incrementally maintained figures with a full recompute.
if (process.argv.includes("--help")) {
  console.log(USAGE);
} else {
  await main().catch((error: unknown) => {
    if (!(error instanceof RecomputeError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  });
}
