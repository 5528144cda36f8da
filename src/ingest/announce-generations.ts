import type { Pool } from "@neondatabase/serverless";
import { z } from "zod";
import { generationKey, GENERATIONS, type GenerationName } from "../domain/generations.ts";
import type { JobName } from "../domain/jobs.ts";
import { describeError } from "../lib/console-log.ts";
import type { Log } from "../lib/log.ts";
import type { Cache } from "../ports/cache.ts";

/** What a job may publish. */
const PUBLISHED_BY: Partial<Readonly<Record<JobName, readonly GenerationName[]>>> = {
  leaderboard: ["leaderboard"],
  boards: ["trending"],
  explore: ["explore"],
  large_positions: ["large_positions"],
  flows: ["flows"],
  resolutions: ["results"],
  reports: ["reports"],
  suspicion: ["suspicious_trades"],
  candles: ["candles"],
  taker_feed: ["large_trades"],
  fill_feed: ["large_trades"],
};

const newestList = (name: GenerationName) => `select max(id)::text from list_generations where split_part(list, ':', 1) = '${name}'`;

/** One text that is another one after each publication; null before the first. Each is one job's word, or was written under the ledger lock. */
const STANDING: Readonly<Record<GenerationName, string>> = {
  leaderboard: newestList("leaderboard"),
  trending: newestList("trending"),
  explore: newestList("explore"),
  large_positions: newestList("large_positions"),
  flows: newestList("flows"),
  // A report that becomes final keeps its version.
  reports: "select concat_ws(':', sum(version), count(*) filter (where status = 'final')) from report_snapshots having count(*) > 0",
  suspicious_trades: "select max(id)::text from suspicious_trades",
  candles: "select state ->> 'entry_id' from ingest_checkpoints where feed = 'signals:candles'",
  large_trades: "select max(id)::text from large_trades",
  results: "select state ->> 'since' from ingest_checkpoints where feed = 'results'",
};

const Standing = z.array(z.partialRecord(z.enum(GENERATIONS), z.string().nullable())).length(1);

/** Longer than any answer is kept: one that outlives the announcement would pass for one made before the first. */
const TTL_SECONDS = 86_400;

/**
 * Tells the cache what stands, so that answers which rest on something older are not served again. Only what has committed is told, and a
 * kill in between loses nothing for long: each run of a job tells what this process has not told yet. A cache that is away is told with a
 * later run; until then answers serve for their time.
 */
export class Announcer {
  readonly #cache: Cache;
  readonly #now: () => number;
  readonly #log: Log;
  readonly #told = new Map<GenerationName, string>();

  constructor(cache: Cache, now: () => number, log: Log) {
    this.#cache = cache;
    this.#now = now;
    this.#log = log;
  }

  /** Announces what a job has published, as far as it is not told; after its run, failed or not. Never throws. */
  async announce(pool: Pool, job: JobName): Promise<void> {
    const names = PUBLISHED_BY[job] ?? [];
    if (names.length === 0) return;
    try {
      const { rows } = await pool.query(`select ${names.map((name) => `(${STANDING[name]}) as ${name}`).join(", ")}`);
      const [standing = {}] = Standing.parse(rows);
      for (const name of names) await this.#tell(name, standing[name] ?? null);
    } catch (error) {
      this.#log.warn("not announced", { job, error: describeError(error) });
    }
  }

  async #tell(name: GenerationName, standing: string | null): Promise<void> {
    if (standing === null || this.#told.get(name) === standing) return;
    // With its time, so that no value ever comes a second time: two processes may tell the same, one of them late.
    await this.#cache.set(generationKey(name), `${standing}@${this.#now()}`, TTL_SECONDS);
    this.#told.set(name, standing);
  }
}
