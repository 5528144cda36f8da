import pg from "pg";
import { argumentsOrExit } from "../arguments-or-exit.ts";
import { parseArchiveArguments, USAGE, type ArchiveArguments } from "./arguments.ts";
import { listArchivedDays, verifyDay, type Download } from "./verify-day.ts";
import { findDatabaseUrl } from "../recompute/arguments.ts";
import { sessionOverTcp } from "../services/postgres/session-over-tcp.ts";

/** Exits with 1 when something differs or there is no archived day to check. */
async function main({ day, url, dataDir }: ArchiveArguments): Promise<void> {
  const client = new pg.Client({ connectionString: findDatabaseUrl(process.env, dataDir) });
  await client.connect();
  try {
    const session = sessionOverTcp(client);
    const days = await listArchivedDays(session, day);
    let differences = 0;
    let notCompared = 0;
    for (const stored of days) {
      for await (const { subject, isEqual, detail } of verifyDay(session, stored, url === null ? null : from(url))) {
        if (isEqual === false) differences += 1;
        if (isEqual === null) notCompared += 1;
        console.log(`${isEqual === null ? "UNSEEN " : isEqual ? "ok     " : "DIFFERS"}  ${subject}: ${detail}`);
      }
    }
    const unseen = notCompared === 0 ? "" : `, ${notCompared} not compared`;
    console.log(`${days.length} days, ${differences} differences${unseen}`);
    if (differences > 0 || days.length === 0) process.exitCode = 1;
  } finally {
    await client.end();
  }
}

const from =
  (url: string): Download =>
  async (key) => {
    const response = await fetch(`${url}/${key}`);
    if (response.status === 404) return null;
    if (!response.ok) throw new Error(`${url}/${key} responded ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  };

if (process.argv.includes("--help")) console.log(USAGE);
else await main(argumentsOrExit(parseArchiveArguments, USAGE));
