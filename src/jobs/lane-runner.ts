import type { Pool } from "@neondatabase/serverless";
import { sessionOf } from "../db/client.ts";
import { recordHeartbeat, recordJobFailure } from "../db/heartbeats.ts";
import type { CacheInvalidator } from "./publish-cache-versions.ts";
import { describeError } from "../platform/log/console-log.ts";
import { inScope } from "../lib/work-scope.ts";
import type { Log } from "../platform/log/log.ts";
import type { Metrics } from "../platform/metrics/metrics.ts";
import { ProviderUnavailable } from "../platform/provider.ts";
import type { JobContext } from "./define-job.ts";
import type { Job } from "./registry.ts";
import {
  afterJob,
  decideNextJob,
  nextDueAt,
  resumeSchedule,
  scheduleBy,
  startJob,
  type Outcome,
  type Schedule,
} from "./schedule.ts";

/** One turn runs jobs for at most this long, so that the schedule is stored often. */
const TURN_MS = 5_000;

export interface LaneOptions {
  /** The jobs of the lane that are not paused. */
  readonly jobs: readonly Job[];
  readonly storage: Pick<DurableObjectStorage, "get" | "put">;
  readonly openPool: () => Pool;
  /** Throws while the database lacks a migration of this build. */
  readonly requireSchema: (pool: Pool) => Promise<void>;
  readonly context: Omit<JobContext, "pool">;
  readonly invalidator: CacheInvalidator;
  readonly feedPollMs: number;
  /** Wakes the readers of the outbox. */
  readonly onEvents: () => void;
  /** After a run that leaves nothing to do. */
  readonly onIdle: (pool: Pool) => Promise<void>;
  readonly log: Log;
  readonly metrics: Metrics;
}

/**
 * Runs the due jobs of one lane, one after the other. All progress of jobs is in Postgres; the schedule may
 * be lost at any time.
 */
export class LaneRunner {
  readonly #options: LaneOptions;
  #pool: Pool | null = null;
  #schedule: Schedule | null = null;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /**
   * Runs what is due. `nextDueAt` then says when the next turn is due.
   *
   * @throws SchemaOutdated, before any job runs
   */
  async turn(): Promise<void> {
    const { jobs, storage, context, feedPollMs, requireSchema } = this.#options;
    try {
      await requireSchema(this.pool);
    } catch (error) {
      this.#dropPool();
      throw error;
    }
    const endsAt = context.now() + TURN_MS;
    this.#schedule ??= resumeSchedule(jobs, (await storage.get<Schedule>("schedule")) ?? {}, context.now(), feedPollMs);
    for (let job = this.#next(); job !== null && context.now() < endsAt; job = this.#next()) {
      this.#schedule = startJob(this.#schedule, job);
      const startedAt = context.now();
      const outcome = await this.#run(job);
      const duration_ms = context.now() - startedAt;
      this.#options.metrics.write("job", { job: job.name, outcome: outcome.kind, duration_ms });
      this.#schedule = afterJob(this.#schedule, job, outcome, context.now(), feedPollMs);
      if (outcome.kind === "idle") await this.#options.onIdle(this.pool);
    }
    await storage.put("schedule", this.#schedule);
  }

  /**
   * When the next job is due, in milliseconds since the epoch; null before the first turn, which runs all of
   * them.
   */
  get nextDueAt(): number | null {
    return this.#schedule === null ? null : nextDueAt(this.#options.jobs, this.#schedule);
  }

  /** Makes jobs of this lane due within a time. A job that runs is due again after its run. */
  scheduleWithin(names: readonly string[], withinMs: number): void {
    if (this.#schedule === null) return;
    this.#schedule = scheduleBy(this.#schedule, names, this.#options.context.now() + withinMs);
  }

  get pool(): Pool {
    return (this.#pool ??= this.#options.openPool());
  }

  #next(): Job | null {
    const { jobs, context } = this.#options;
    return this.#schedule === null ? null : decideNextJob(jobs, this.#schedule, context.now());
  }

  async #run(job: Job): Promise<Outcome> {
    const { context, invalidator, log, onEvents } = this.#options;
    const { pool } = this;
    try {
      const more = await inScope({ requestId: null, work: job.name }, () => job.run({ ...context, pool }));
      if (job.commitsEvents === true) onEvents();
      if (!more) await recordHeartbeat(sessionOf(pool), job.name);
      return { kind: more ? "more" : "idle" };
    } catch (error) {
      const message = describeError(error);
      log.warn("job.failed", { job: job.name, error: message });
      await recordJobFailure(sessionOf(pool), job.name, message).catch(() => this.#dropPool());
      return { kind: "failed", retryAfterMs: error instanceof ProviderUnavailable ? error.retryAfterMs : null };
    } finally {
      // Also after a failure: the job may have committed before it failed.
      await invalidator.publishVersions(pool, job.publishes ?? []);
    }
  }

  /** A pool whose sessions broke with the database is dropped; the next run opens a new one. */
  #dropPool(): void {
    // A session that broke cannot be closed, which changes nothing.
    void this.#pool?.end().catch(() => undefined);
    this.#pool = null;
  }
}
