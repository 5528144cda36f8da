import { setTimeout as sleep } from "node:timers/promises";
import { BackfillState } from "../../src/ingest/feeds/checkpoints.ts";
import { openPolledDatabase, type PolledDatabase } from "./polled-database.ts";

const POLL_MS = 400;
const PLAIN_LINE_MS = 5_000;
const BAR_WIDTH = 30;
const PHASES: Record<string, string> = {
  trades: "reading trades",
  traders: "reading traders and markets",
  figures: "building lists",
  done: "done",
};

/** Shows the progress of the first backfill until it is done. With a filled database it returns at once. */
export async function showBackfill(
  databaseUrl: string,
  expectedTrades: number | null,
  stopped: () => boolean,
): Promise<void> {
  const database = openPolledDatabase(databaseUrl);
  let shownAt = 0;
  try {
    while (!stopped()) {
      const progress = await findProgress(database);
      const text = progress === null ? "waiting for the database" : present(progress, expectedTrades);
      if (process.stdout.isTTY) process.stdout.write(`\r\x1b[2K${text}`);
      else if (Date.now() - shownAt >= PLAIN_LINE_MS || progress?.done) {
        console.log(text);
        shownAt = Date.now();
      }
      if (progress?.done) break;
      await sleep(POLL_MS);
    }
    if (process.stdout.isTTY) process.stdout.write("\n");
  } finally {
    await database.end();
  }
}

interface Progress {
  readonly phase: string;
  readonly stored: number;
  readonly left: number;
  readonly done: boolean;
}

/** @returns null while the database is unavailable */
async function findProgress(database: PolledDatabase): Promise<Progress | null> {
  const rows = await database.findRows<{ state: unknown; stored: string; left: string }>(
    `select (select state from ingest_checkpoints where feed = 'backfill') as state,
       (select count(*) from ledger_entries where kind in ('buy', 'sell')) as stored,
       (select count(*) from trader_syncs where complete_at is null)
         + (select count(*) from markets where hydrated_at is null) as left`,
  );
  const row = rows?.[0];
  if (row === undefined) return null;
  const state = BackfillState.nullable().parse(row.state);
  return {
    phase: state?.phase ?? "trades",
    stored: Number(row.stored),
    left: Number(row.left),
    done: state?.done ?? false,
  };
}

function present({ phase, stored, left, done }: Progress, expected: number | null): string {
  const label = PHASES[phase] ?? phase;
  const count = stored.toLocaleString("en-US");
  if (expected === null || expected === 0)
    return `${label}: ${count} trades stored${phase === "traders" ? `, ${left} to read` : ""}`;
  const share = done ? 1 : Math.min(1, stored / expected);
  const filled = Math.round(share * BAR_WIDTH);
  const bar = "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
  const rest = phase === "traders" ? `, ${left} to read` : "";
  return `${bar} ${Math.floor(share * 100)} %  ${label}: ${count} of ${expected.toLocaleString("en-US")} trades${rest}`;
}
