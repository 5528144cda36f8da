import { setTimeout as sleep } from "node:timers/promises";
import type { Foreground } from "../foreground.ts";
import { freePort } from "../free-port.ts";
import { startPostgres, type EmbeddedPostgres } from "./postgres.ts";

/** How long to retry the start of a Postgres that ended by itself. */
const RESTART_MS = 30_000;

/**
 * An embedded Postgres that is restarted whenever it ends by itself, so that reads and ingest recover.
 *
 * @returns its URL
 */
export async function startSupervisedPostgres(dataDir: string, foreground: Foreground): Promise<string> {
  const postgres = await startPostgres({ dataDir, port: await freePort(), log: (line) => console.error(line) });
  foreground.onEnd(() => postgres.stop());
  void keepRunning(postgres, foreground);
  return postgres.url;
}

async function keepRunning(postgres: EmbeddedPostgres, foreground: Foreground): Promise<void> {
  for (;;) {
    // Stays pending for a server that is stopped on purpose.
    await postgres.ended;
    console.error("Postgres has ended by itself; it is started again.");
    await restartWithRetries(postgres).catch((error: Error) => {
      console.error(error.message);
      return foreground.end(1);
    });
  }
}

/** Restarts with retries: a session that outlives its server locks the data until its statement ends. */
async function restartWithRetries(postgres: EmbeddedPostgres): Promise<void> {
  for (const endsAt = Date.now() + RESTART_MS; ;) {
    try {
      return await postgres.restart();
    } catch (error) {
      if (Date.now() > endsAt) throw error;
      await sleep(500);
    }
  }
}
