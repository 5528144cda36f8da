import { execFileSync } from "node:child_process";
import { appendFileSync, chownSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import type { EmbeddedPostgres } from "../../../scripts/services/postgres/postgres.ts";

const MOMENT = "the_restored_moment";

/** A base backup and the write-ahead log after it, from which a database of an earlier moment can be started. */
export class Backup {
  readonly #dataDir: string;
  readonly #base: string;
  readonly #log: string;

  constructor(dataDir: string, directory: string) {
    this.#dataDir = dataDir;
    this.#base = join(directory, "base");
    this.#log = join(directory, "log");
    mkdirSync(this.#log, { recursive: true });
    this.#own(this.#log);
  }

  /** Copies the running database, and archives its log from now on. */
  async begin(postgres: EmbeddedPostgres): Promise<void> {
    await inSession(postgres.url, async (client) => {
      await client.query("alter system set archive_mode = on");
      await client.query(`alter system set archive_command = 'cp %p ${this.#log}/%f'`);
    });
    await postgres.stop();
    await postgres.restart();
    await inSession(postgres.url, async (client) => {
      await client.query("select pg_backup_start('drill', true)");
      copy(this.#dataDir, this.#base);
      const { rows } = await client.query("select labelfile from pg_backup_stop()");
      writeFileSync(join(this.#base, "backup_label"), String(rows[0]?.labelfile));
      this.#own(join(this.#base, "backup_label"));
    });
    rmSync(join(this.#base, "postmaster.pid"), { force: true });
  }

  /** Names the present moment as the one to restore. */
  async markMoment({ url }: EmbeddedPostgres): Promise<void> {
    await inSession(url, (client) => client.query("select pg_create_restore_point($1)", [MOMENT]));
  }

  /** Completes the log up to now. Everything after the marked moment is in it too, and must not be restored. */
  async finishLog({ url }: EmbeddedPostgres): Promise<void> {
    await inSession(url, async (client) => {
      const { rows } = await client.query("select pg_walfile_name(pg_current_wal_lsn()) as file");
      await client.query("select pg_switch_wal()");
      const file = String(rows[0]?.file);
      for (let attempt = 0; attempt < 300; attempt += 1) {
        const archived = await client.query("select last_archived_wal >= $1 as done from pg_stat_archiver", [file]);
        if (archived.rows[0]?.done === true) return;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      throw new Error(`Postgres did not archive ${file} within 30 seconds.`);
    });
  }

  /** Replaces the lost data by those from which the next start recovers the marked moment. */
  restore(): void {
    rmSync(this.#dataDir, { recursive: true, force: true });
    copy(this.#base, this.#dataDir);
    writeFileSync(join(this.#dataDir, "recovery.signal"), "");
    appendFileSync(
      join(this.#dataDir, "postgresql.auto.conf"),
      `archive_mode = off\nrestore_command = 'cp ${this.#log}/%f %p'\nrecovery_target_name = '${MOMENT}'\nrecovery_target_action = 'promote'\n`,
    );
    this.#own(join(this.#dataDir, "recovery.signal"));
  }

  #own(path: string): void {
    const { uid, gid } = statSync(this.#dataDir);
    chownSync(path, uid, gid);
  }
}

/** With owners and modes, which Postgres demands. */
const copy = (from: string, to: string): void => void execFileSync("cp", ["-a", from, to]);

async function inSession<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
