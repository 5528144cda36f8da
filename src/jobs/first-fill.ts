import type { Pool } from "@neondatabase/serverless";
import { sessionOf } from "../db/client.ts";
import { listSucceededSince, readClock } from "../db/heartbeats.ts";
import { recordBackfillProgress } from "./backfill.ts";
import { isGradingDue } from "../ingest/skill/grade-traders.ts";
import type { Job } from "./registry.ts";

type Stage = NonNullable<Job["firstFill"]>;

/**
 * The end of the first fill of an empty database. Once feeds and traders are read and all settled bets are
 * scored, the figures run at once instead of at their turn, and after them the lists that depend on grades. A
 * restart repeats the stage it was in.
 */
export class FirstFill {
  readonly #jobs: readonly Job[];
  /** Makes jobs of any lane due now. */
  readonly #runNow: (jobs: readonly Job[]) => Promise<void>;
  #stage: { readonly name: Stage; readonly since: string } | null = null;

  /** @param jobs those that are not paused */
  constructor(jobs: readonly Job[], runNow: (jobs: readonly Job[]) => Promise<void>) {
    this.#jobs = jobs;
    this.#runNow = runNow;
  }

  /**
   * Records how far the fill has come, and starts the next stage when one is complete.
   *
   * @returns whether the fill is done
   */
  async advance(pool: Pool): Promise<boolean> {
    const isComplete = this.#stage !== null && (await this.#isComplete(pool, this.#stage));
    const phase = await recordBackfillProgress(pool, isComplete && this.#stage?.name === "graded");
    if (phase !== "figures") return phase === "done";
    if (this.#stage === null) await this.#begin(pool, "figures");
    else if (isComplete && this.#stage.name === "figures" && !(await isGradingDue(pool))) {
      await this.#begin(pool, "graded");
    }
    return false;
  }

  async #begin(pool: Pool, name: Stage): Promise<void> {
    this.#stage = { name, since: await readClock(sessionOf(pool)) };
    await this.#runNow(this.#jobsOf(name));
  }

  async #isComplete(pool: Pool, { name, since }: { name: Stage; since: string }): Promise<boolean> {
    const succeeded = await listSucceededSince(sessionOf(pool), since);
    return this.#jobsOf(name).every((job) => succeeded.has(job.name));
  }

  readonly #jobsOf = (stage: Stage): readonly Job[] => this.#jobs.filter(({ firstFill }) => firstFill === stage);
}
