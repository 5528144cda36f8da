import { fork } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

export interface IngestFigures {
  readonly trades: number;
  readonly seconds: number;
  readonly positions: number;
  readonly largeTrades: number;
  readonly events: number;
}

/** Starts the page server. @returns its URL and a function that stops it */
export async function startPageServer(trades: number): Promise<{ url: string; stop: () => void }> {
  const child = fork("scripts/bench/ingest/page-server.ts", [String(trades)], {
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  const port = await new Promise<unknown>((resolve) => child.once("message", resolve));
  return { url: `http://127.0.0.1:${String(port)}`, stop: () => child.kill() };
}

/** Wakes the feed and waits until every generated trade is stored and both walks have ended. */
export async function measureIngest(databaseUrl: string, wakeFeed: () => Promise<void>): Promise<IngestFigures> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const startedAt = performance.now();
  await wakeFeed();
  while (!(await walksEnded(client))) await sleep(50);
  const seconds = (performance.now() - startedAt) / 1000;
  const { rows } = await client.query<Record<"trades" | "positions" | "large_trades" | "events", string>>(
    `select (select count(*) from ledger_entries) as trades, (select count(*) from positions) as positions,
       (select count(*) from large_trades) as large_trades, (select count(*) from events) as events`,
  );
  await client.end();
  const row = rows[0];
  return {
    seconds,
    trades: Number(row?.trades),
    positions: Number(row?.positions),
    largeTrades: Number(row?.large_trades),
    events: Number(row?.events),
  };
}

async function walksEnded(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ ended: string }>(
    `select count(*) as ended from ingest_checkpoints where feed in ('trades:takers', 'trades:all') and state ->> 'watermarkMs' is not null`,
  );
  return rows[0]?.ended === "2";
}
