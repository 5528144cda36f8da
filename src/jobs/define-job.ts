import type { Lane } from "../domain/lanes.ts";
import type { Pool } from "@neondatabase/serverless";
import type { CacheTag } from "../domain/cache-tags.ts";
import type { ScoreFrames } from "../ingest/games/score-frames.ts";
import type { Config } from "../config.ts";
import type { ChainSource } from "../ingest/chain/follow-chain.ts";
import type { IcebergPorts } from "../ingest/archive/iceberg/publish-iceberg.ts";
import type { ArchiveTarget } from "../ingest/archive/sign-day.ts";
import type { NonceSealing } from "../ingest/picks/commitment-nonce.ts";
import type { RowIdCache } from "../ingest/feeds/row-id-cache.ts";
import type { SweepPorts } from "../exports/sweep-export-jobs.ts";
import type { RecentFills } from "../ingest/feeds/recent-fills.ts";
import type { PagePrefetcher } from "../ingest/feeds/page-prefetcher.ts";
import type { IngestMessage } from "../messages/ingest-message.ts";
import type { Provider } from "../platform/provider.ts";

export interface JobContext {
  readonly pool: Pool;
  readonly provider: Provider;
  readonly rowIds: RowIdCache;
  readonly recentFills: RecentFills;
  readonly prefetcher: PagePrefetcher;
  /** Frames of the score socket that wait for the job that applies them; always empty outside the lane `games`. */
  readonly scoreFrames: ScoreFrames;
  readonly largeTradeMinUsd: number;
  readonly backfillDays: number;
  /** For the nonces of picks. */
  readonly sealing: NonceSealing;
  /** Null without a signing key: the archive is then not written. */
  readonly archive: ArchiveTarget | null;
  /** Null without a catalog: no Iceberg table is then written. */
  readonly iceberg: IcebergPorts | null;
  /** Null without a node of the chain: nothing is then recorded from it. */
  readonly chain: ChainSource | null;
  /** Null keeps archived rows. */
  readonly archiveRetentionDays: number | null;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly enqueue: (messages: readonly IngestMessage[]) => Promise<void>;
  /** The store of files, and the queue of the jobs that write them. */
  readonly exports: Pick<SweepPorts, "store" | "enqueue">;
  /** Makes a job of any lane due within this time, where it would be due later. */
  readonly scheduleWithin: (job: string, withinMs: number) => void;
}

export interface JobDefinition<Name extends string = string> {
  /** The name in heartbeats, logs and the output of a start. */
  readonly name: Name;
  readonly lane: Lane;
  /**
   * The pause after a run that leaves nothing to do. `feed_poll` is the configured interval of the trade
   * feeds.
   */
  readonly every: number | "feed_poll";
  /**
   * How often it succeeds when all is well, in seconds; health calls it stale after three of these. By
   * default its pause, at least a minute.
   */
  readonly healthySeconds?: number;
  /**
   * A job that has more to do goes before others of its lane that have been due for less than this, ms. 0 when absent.
   */
  readonly headStartMs?: number;
  /** The first run waits for one pause, because the job builds on what others read. */
  readonly startsAfterPause?: boolean;
  /**
   * May be switched off (`HEAVY_JOBS`) to spare the database and the provider: it rebuilds or walks something
   * as a whole, no other job depends on it, and its last result states its age.
   */
  readonly heavy?: boolean;
  /** Is paused while the archive has no signing key (`ARCHIVE_SIGNING_KEY`). */
  readonly needsSigningKey?: boolean;
  /**
   * The setting that switches it on. Without it the job does not exist, for the schedule and for health: the
   * product is complete without it.
   */
  readonly onlyWith?: keyof Pick<Config, "iceberg" | "archiveRetentionDays" | "chain">;
  /** The cache versions that a run may change. They are published after each run. */
  readonly publishes?: readonly CacheTag[];
  /** A run may commit events, so the readers of the outbox are woken after it. */
  readonly commitsEvents?: boolean;
  /**
   * The part of the first fill in which it runs at once: with the figures, or with the lists that depend on
   * grades.
   */
  readonly firstFill?: "figures" | "graded";
  /**
   * Runs to the next stop: a page of a feed, a batch of due work, a rebuilt list. A kill at any point leaves
   * a state to continue from.
   *
   * @returns whether more of the same is left; the job then runs again without a pause
   */
  readonly run: (context: JobContext) => Promise<boolean>;
}

/**
 * Declares a job. Schedule, lane, heartbeat, health, cache versions and the output of a start derive from the
 * registry of declarations.
 */
export const defineJob = <const Name extends string>(job: JobDefinition<Name>): JobDefinition<Name> => job;

/** For a job whose run always finishes its work. */
export const finished = (work: (context: JobContext) => Promise<unknown>) => async (context: JobContext) => {
  await work(context);
  return false;
};
