import { z } from "zod";
import { defineOperation } from "../../api/operation.ts";
import { judgeJobs } from "../../domain/background-jobs.ts";
import { HEARTBEATS, listPausedJobs } from "../../domain/jobs.ts";
import { readHealth } from "../../queries/health.ts";
import { SYSTEM_OPERATION } from "./system-operation.ts";

const jobCount = (description: string, example: number) => z.int().min(0).meta({ description, example });

const Health = z
  .object({
    status: z.enum(["ok", "degraded", "down", "maintenance"]).meta({
      description:
        "ok: everything works. degraded: reads work, something behind them does not or is paused. down: the database or every background job fails. maintenance: a planned window, during which nothing is probed and nothing reads as failed.",
      example: "ok",
    }),
    db: z.boolean().meta({ description: "Whether the database answered within three seconds.", example: true }),
    cache: z
      .boolean()
      .meta({ description: "Whether the cache answered within three seconds. Reads work without it, more slowly.", example: true }),
    subsystems: z
      .object({
        webhook_compatibility: z.boolean().meta({
          description: "Whether events are handed on to webhooks: false while one waits for more than a minute.",
          example: true,
        }),
        background_jobs: z
          .object({
            status: z.enum(["ok", "degraded", "down", "not_checked"]).meta({
              description:
                "ok: all are healthy. degraded: some are not, or are paused. down: none of those that should run is. not_checked: their heartbeats were not read.",
              example: "ok",
            }),
            checked: z.boolean().meta({
              description: "Whether the heartbeats were read; when not, only the total below is told and the rest is 0.",
              example: true,
            }),
            total: jobCount("Jobs that there are.", HEARTBEATS.length),
            healthy: jobCount("Jobs that have succeeded within three of their intervals.", HEARTBEATS.length),
            stale: jobCount("Jobs whose last success is longer ago.", 0),
            missing: jobCount("Jobs that have never succeeded.", 0),
            invalid: jobCount("Jobs whose last success lies in the future.", 0),
            unconfigured: jobCount("Heartbeats of jobs that this release does not have. They are no part of the total.", 0),
            paused: jobCount("Jobs that are switched off on purpose. They count as nothing else.", 0),
          })
          .meta({ description: "The jobs that read the provider and keep figures up to date." }),
      })
      .meta({ description: "What works behind the reads." }),
  })
  .meta({ id: "Health", description: "Whether the service works. It names no job and shows no error." });

/** A probe that takes longer counts as failed. */
const PROBE_MS = 3_000;

/** Events are on their way to webhooks within seconds; one that waits longer is held up by something. */
const UNTOLD_MS = 60_000;

/** Nothing is probed, so nothing is said to fail. */
const IN_MAINTENANCE: z.output<typeof Health> = {
  status: "maintenance",
  db: true,
  cache: true,
  subsystems: { webhook_compatibility: true, background_jobs: judgeJobs(HEARTBEATS, null, 0, []) },
};

export const getHealth = defineOperation({
  ...SYSTEM_OPERATION,
  kind: "single",
  id: "getHealth",
  method: "get",
  path: "/api/v1/health",
  summary: "Say whether the service and its background jobs work.",
  description:
    "Probes the database and the cache and looks at the heartbeats of the jobs, save during planned maintenance. Answers 200 whatever it finds; up to 120 reads a minute from an address.",
  ipBudget: "health",
  conditional: true,
  object: "health",
  data: Health,
  async handle(_input, { config, db, cache, now }) {
    if (config.maintenance) return { data: IN_MAINTENANCE };
    const [stored, cacheAnswers] = await Promise.all([
      within(readHealth(db)).catch(() => null),
      within(cache.ping()).then(
        () => true,
        () => false,
      ),
    ]);
    const jobs = judgeJobs(HEARTBEATS, stored?.heartbeats ?? null, now.getTime(), listPausedJobs(config.heavyJobs));
    // Webhook deliveries are cut from the outbox; without an epoch in force there is nothing they could be cut from.
    const webhookCompatibility =
      stored !== null && stored.epoch !== null && (stored.untoldSinceMs === null || now.getTime() - stored.untoldSinceMs <= UNTOLD_MS);
    const down = stored === null || jobs.status === "down";
    const ok = cacheAnswers && webhookCompatibility && jobs.status === "ok";
    const status: z.output<typeof Health>["status"] = down ? "down" : ok ? "ok" : "degraded";
    return {
      data: {
        status,
        db: stored !== null,
        cache: cacheAnswers,
        subsystems: { webhook_compatibility: webhookCompatibility, background_jobs: jobs },
      },
    };
  },
});

function within<T>(probe: Promise<T>): Promise<T> {
  return Promise.race([probe, new Promise<never>((_, reject) => setTimeout(() => reject(new Error("probe timed out")), PROBE_MS))]);
}
