import { z } from "zod";
import { defineOperation } from "../../api/operation.ts";
import type { Config } from "../../config.ts";
import { judgeJobHealth } from "../../domain/job-health.ts";
import { judgeServiceHealth } from "../../domain/service-health.ts";
import { HEARTBEATS, listHeartbeats } from "../../jobs/heartbeats.ts";
import { listPausedJobs } from "../../jobs/registry.ts";
import { readHealth } from "../../queries/health.ts";
import { SYSTEM_OPERATION } from "./system-operation.ts";
import { withTimeout } from "../../lib/timing/with-timeout.ts";
import { isAnswered, PROBE_TIMEOUT_MS } from "../../platform/probe.ts";

const jobCount = (description: string, example: number) => z.int().min(0).meta({ description, example });

const Health = z
  .object({
    status: z.enum(["ok", "degraded", "down", "maintenance"]).meta({
      description:
        "ok: everything works. degraded: reads work, but the cache, webhooks or a background job does not " +
        "work or is paused, or the database lacks a migration. down: the database fails, or no background job that should run is healthy. " +
        "maintenance: a planned window without probes, in which nothing is reported as failed.",
      example: "ok",
    }),
    db: z.boolean().meta({ description: "Whether the database responded within three seconds.", example: true }),
    cache: z.boolean().meta({
      description: "Whether the cache responded within three seconds. Reads also work without it, but more slowly.",
      example: true,
    }),
    subsystems: z
      .object({
        webhook_compatibility: z.boolean().meta({
          description:
            "Whether events are enqueued for webhooks: false while an event has waited for more than a minute.",
          example: true,
        }),
        database_schema: z.boolean().meta({
          description:
            "Whether the database has every migration that this release needs. While it has not, reads " +
            "work and background jobs pause. Also false while the database does not respond.",
          example: true,
        }),
        background_jobs: z
          .object({
            status: z.enum(["ok", "degraded", "down", "not_checked"]).meta({
              description:
                "ok: all jobs are healthy. degraded: some are unhealthy or paused. down: no job that " +
                "should run is healthy. not_checked: the heartbeats were not read.",
              example: "ok",
            }),
            checked: z.boolean().meta({
              description:
                "Whether the heartbeats were read. If false, only `total` is known and the other counts are 0.",
              example: true,
            }),
            total: jobCount("Number of jobs.", HEARTBEATS.length),
            healthy: jobCount("Jobs that have succeeded within three of their intervals.", HEARTBEATS.length),
            stale: jobCount("Jobs whose last success is older than that.", 0),
            missing: jobCount("Jobs that have never succeeded.", 0),
            invalid: jobCount("Jobs whose last success is in the future.", 0),
            unconfigured: jobCount(
              "Heartbeats of jobs that do not exist in this release. Not included in the total.",
              0,
            ),
            paused: jobCount(
              "Jobs that are switched off, or lack a key that they need. They are in no other count.",
              0,
            ),
          })
          .meta({ description: "The jobs that read the provider and update the figures." }),
      })
      .meta({ description: "State of the parts behind the reads." }),
  })
  .meta({ id: "Health", description: "State of the service. Contains no job names and no error details." });

/** During maintenance nothing is probed, so nothing is reported as failed. */
const inMaintenance = (config: Config): z.output<typeof Health> => ({
  status: "maintenance",
  db: true,
  cache: true,
  subsystems: {
    webhook_compatibility: true,
    database_schema: true,
    background_jobs: judgeJobHealth(listHeartbeats(config), null, 0, []),
  },
});

export const getHealth = defineOperation({
  ...SYSTEM_OPERATION,
  kind: "single",
  id: "getHealth",
  method: "get",
  path: "/api/v1/health",
  summary: "Check whether the service and its background jobs work.",
  description:
    "Probes the database and the cache and reads the heartbeats of the jobs, except during planned " +
    "maintenance. Always returns 200. Limited to 120 requests per minute per IP address.",
  ipBudget: "health",
  conditional: true,
  object: "health",
  data: Health,
  async handle(_input, { config, db, cache, now }) {
    if (config.maintenance) return { data: inMaintenance(config) };
    const [stored, isCacheUp] = await Promise.all([
      withTimeout(readHealth(db), PROBE_TIMEOUT_MS).catch(() => null),
      isAnswered(cache.ping()),
    ]);
    const expected = { heartbeats: listHeartbeats(config), paused: listPausedJobs(config) };
    const health = judgeServiceHealth(stored, isCacheUp, expected, now.getTime());
    return {
      data: {
        status: health.status,
        db: stored !== null,
        cache: isCacheUp,
        subsystems: {
          webhook_compatibility: health.isWebhookCompatible,
          database_schema: health.isSchemaCurrent,
          background_jobs: health.jobs,
        },
      },
    };
  },
});
