import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from, to } from "pg-copy-streams";
import type { ProviderTrade } from "../../../src/platform/provider.ts";
import { FILLS_PER_TRANSACTION, loadArchive } from "../../load/load-archive.ts";
import { LEDGER_COLUMNS } from "../../load/range/fold-range.ts";
import { TRADE_COLUMNS, tradeLine } from "../../load/files/trade-lines.ts";
import type { BenchServices } from "../bench-services.ts";
import { createEngineDatabase } from "../engine/engine-database.ts";
import { generatePages } from "../engine/generated-trades.ts";

const START_SECONDS = 1_760_000_000;

/**
 * Loads a generated CSV file into an empty database and prints its rate, with the parts of the time and, as a floor in the
 * same Postgres, the rate of a bare COPY of the same ledger rows into a table with the indexes of the ledger.
 */
export async function benchLoad(services: BenchServices, fills: number): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "bench-load-"));
  const database = await createEngineDatabase(services.databaseUrl, "load");
  try {
    const size = {
      seed: 1,
      wallets: Math.ceil(fills / 25),
      markets: Math.ceil(fills / 250),
      startSeconds: START_SECONDS,
    };
    const archive = join(directory, "archive");
    await mkdir(archive);
    await pipeline(Readable.from(linesOf(generatePages(fills, size))), createWriteStream(join(archive, "fills.csv")));
    const startedAt = performance.now();
    const cpuBefore = process.cpuUsage();
    const backendBefore = await backendSeconds(database.client);
    let stagedAt = startedAt;
    const result = await loadArchive(database.client, {
      directory: archive,
      largeTradeMinUsd: 5_000,
      takers: false,
      fillsPerTransaction: FILLS_PER_TRANSACTION,
      now: () => (START_SECONDS + fills) * 1_000,
      onFile: () => (stagedAt = performance.now()),
    });
    const total = (performance.now() - startedAt) / 1_000;
    const { user, system } = process.cpuUsage(cpuBefore);
    const backend = (await backendSeconds(database.client)) - backendBefore;
    console.log(
      `load: ${result.added} fills in ${total.toFixed(1)} s, ${Math.round(fills / total)} fills/s ` +
        `(read and staged ${((stagedAt - startedAt) / 1_000).toFixed(1)} s; CPU: this process ` +
        `${((user + system) / 1e6).toFixed(1)} s, its Postgres session ${backend.toFixed(1)} s)`,
    );
    const floor = await measureFloor(database.client, directory);
    console.log(
      `      a bare COPY of these ledger rows with the five indexes: ${floor.seconds.toFixed(1)} s, ` +
        `${Math.round(fills / floor.seconds)} fills/s (CPU ${floor.backend.toFixed(1)} s); ` +
        `the load took ${(total / floor.seconds).toFixed(2)} times as long`,
    );
  } finally {
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  }
}

/** COPY of the ledger's rows into an empty table with the same columns and indexes, without triggers or references. */
async function measureFloor(client: pg.Client, directory: string): Promise<{ seconds: number; backend: number }> {
  const path = join(directory, "ledger");
  await pipeline(
    client.query(to(`copy (select ${LEDGER_COLUMNS} from ledger_entries order by id) to stdout (format binary)`)),
    createWriteStream(path),
  );
  await client.query(`create table floor (like ledger_entries including all)`);
  await client.query(`set synchronous_commit = off`);
  const [startedAt, backendBefore] = [performance.now(), await backendSeconds(client)];
  await pipeline(
    createReadStream(path),
    client.query(from(`copy floor (${LEDGER_COLUMNS}) from stdin (format binary)`)),
  );
  return {
    seconds: (performance.now() - startedAt) / 1_000,
    backend: (await backendSeconds(client)) - backendBefore,
  };
}

/** The CPU of a session's process, in seconds; 0 where there is no /proc. */
async function backendSeconds(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>(`select pg_backend_pid() as pid`);
  const stat = await readFile(`/proc/${rows[0]?.pid}/stat`, "utf8").catch(() => "");
  // After the name in parentheses: fields 14 and 15 of proc(5), in hundredths of a second.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100;
}

/** Every third trade is a taker's. */
function* linesOf(pages: Iterable<readonly ProviderTrade[]>): Generator<string> {
  yield `${TRADE_COLUMNS}\n`;
  for (const page of pages) yield `${page.map((trade, index) => tradeLine(trade, index % 3 === 0)).join("\n")}\n`;
}
