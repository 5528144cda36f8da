import type { Pool } from "@neondatabase/serverless";
import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { sessionOf } from "../db/client.ts";
import {
  ingestCheckpoints,
  largeTrades,
  listGenerations,
  recordPeriods,
  reportSnapshots,
  suspiciousTrades,
} from "../db/schema.ts";
import { selectRow } from "../db/sql.ts";
import { cacheVersionKey, CACHE_TAGS, type CacheTag } from "../domain/cache-tags.ts";
import { describeError } from "../platform/log/console-log.ts";
import type { Log } from "../platform/log/log.ts";
import type { Cache } from "../platform/redis/cache.ts";

const newestGenerationOf = (name: CacheTag): SQL =>
  sql`select max(${listGenerations.id})::text from ${listGenerations}
    where split_part(${listGenerations.list}, ':', 1) = ${name}`;

const checkpointField = (feed: string, field: string): SQL =>
  sql`select ${ingestCheckpoints.state} ->> ${field}::text from ${ingestCheckpoints}
    where ${ingestCheckpoints.feed} = ${feed}`;

/**
 * SQL that returns one version string for each cache tag. The string changes on every publish and is null
 * before the first one. Each source is written by a single job, or by one transaction after another.
 */
const VERSION_QUERIES: Readonly<Record<CacheTag, SQL>> = {
  leaderboard: newestGenerationOf("leaderboard"),
  trending: newestGenerationOf("trending"),
  explore: newestGenerationOf("explore"),
  large_positions: newestGenerationOf("large_positions"),
  flows: newestGenerationOf("flows"),
  // A report that becomes final keeps its version number, so the count of final reports is part of it.
  reports: sql`select concat_ws(':', sum(${reportSnapshots.version}),
      count(*) filter (where ${reportSnapshots.status} = 'final'))
    from ${reportSnapshots} having count(*) > 0`,
  // Each run has its own time; the count changes with a deleted month.
  record: sql`select concat_ws(':', max(${recordPeriods.changedAt}), count(*)) from ${recordPeriods} having count(*) > 0`,
  suspicious_trades: sql`select max(${suspiciousTrades.id})::text from ${suspiciousTrades}`,
  candles: checkpointField("signals:candles", "entry_id"),
  large_trades: sql`select max(${largeTrades.id})::text from ${largeTrades}`,
  results: checkpointField("results", "since"),
};

const Versions = z.partialRecord(z.enum(CACHE_TAGS), z.string().nullable());

/**
 * Longer than any cached response lives. A response that outlived its version entry would look like one from
 * before the first version.
 */
const TTL_SECONDS = 86_400;

/**
 * Publishes cache versions, so that responses built from older data are not served again. Only committed data
 * is published. A crash loses nothing for long, because each run of a job publishes every version that this
 * process has not yet published. If the cache is unavailable, a later run publishes; until then cached
 * responses are served for their normal lifetime.
 */
export class CacheInvalidator {
  readonly #cache: Cache;
  readonly #now: () => number;
  readonly #log: Log;
  readonly #published = new Map<CacheTag, string>();

  constructor(cache: Cache, now: () => number, log: Log) {
    this.#cache = cache;
    this.#now = now;
    this.#log = log;
  }

  /** Publishes the versions of these cache tags that have changed. Never throws. */
  async publishVersions(pool: Pool, names: readonly CacheTag[]): Promise<void> {
    if (names.length === 0) return;
    try {
      const columns = names.map((name) => sql`(${VERSION_QUERIES[name]}) as ${sql.identifier(name)}`);
      const versions = (await selectRow(sessionOf(pool), sql`select ${sql.join(columns, sql`, `)}`, Versions)) ?? {};
      for (const name of names) await this.#publish(name, versions[name] ?? null);
    } catch (error) {
      this.#log.warn("cache_versions.publish_failed", { names, error: describeError(error) });
    }
  }

  async #publish(name: CacheTag, version: string | null): Promise<void> {
    if (version === null || this.#published.get(name) === version) return;
    // The time makes each value unique: two processes may publish the same version, one of them late.
    await this.#cache.set(cacheVersionKey(name), `${version}@${this.#now()}`, TTL_SECONDS);
    this.#published.set(name, version);
  }
}
