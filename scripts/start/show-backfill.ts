import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { BackfillState } from "../../src/ingest/checkpoints.ts";

const POLL_MS = 400;
const PLAIN_LINE_MS = 5_000;
const BAR_WIDTH = 30;
const PHASES: Record<string, string> = {
  trades: "reading trades",
  wallets: "reading wallets and markets",
  figures: "building lists",
  done: "done",
};

/** Shows how the first fill of the database proceeds, until it is done. A filled database is done at once. */
export async function showBackfill(databaseUrl: string, expectedTrades: number | null, stopped: () => boolean): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  // A session may end while it is idle: when everything is stopped, or the database goes away for a while.
  pool.on("error", () => undefined);
  let shownAt = 0;
  try {
    while (!stopped()) {
      const progress = await findProgress(pool);
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
    await pool.end();
  }
}

interface Progress {
  readonly phase: string;
  readonly stored: number;
  readonly left: number;
  readonly done: boolean;
}

/** @returns null while the database is away */
async function findProgress(pool: pg.Pool): Promise<Progress | null> {
  const row = await findCounts(pool);
  if (row === null) return null;
  const state = BackfillState.nullable().parse(row.state);
  return { phase: state?.phase ?? "trades", stored: Number(row.stored), left: Number(row.left), done: state?.done ?? false };
}

async function findCounts(pool: pg.Pool): Promise<{ state: unknown; stored: string; left: string } | null> {
  try {
    const { rows } = await pool.query<{ state: unknown; stored: string; left: string }>(
      `select (select state from ingest_checkpoints where feed = 'backfill') as state,
         (select count(*) from ledger_entries where kind in ('buy', 'sell')) as stored,
         (select count(*) from wallet_syncs where complete_at is null) + (select count(*) from markets where hydrated_at is null) as left`,
    );
    return rows[0] ?? null;
  } catch (error) {
    // Class 57P is a server that starts or stops; what is not the server's word is a connection that failed. The rest is a mistake here.
    if (error instanceof pg.DatabaseError && !error.code?.startsWith("57P")) throw error;
    return null;
  }
}

function present({ phase, stored, left, done }: Progress, expected: number | null): string {
  const label = PHASES[phase] ?? phase;
  const count = stored.toLocaleString("en-US");
  if (expected === null || expected === 0) return `${label}: ${count} trades stored${phase === "wallets" ? `, ${left} to read` : ""}`;
  const share = done ? 1 : Math.min(1, stored / expected);
  const filled = Math.round(share * BAR_WIDTH);
  const bar = "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
  const rest = phase === "wallets" ? `, ${left} to read` : "";
  return `${bar} ${Math.floor(share * 100)} %  ${label}: ${count} of ${expected.toLocaleString("en-US")} trades${rest}`;
}
