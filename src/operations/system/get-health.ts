import { z } from "zod";
import { defineOperation } from "../../api/operation.ts";
import { judgeJobs } from "../../domain/background-jobs.ts";
import { JOBS } from "../../domain/jobs.ts";
import { readHealth } from "../../queries/health.ts";

const count = () => z.int().min(0);

const Health = z
  .object({
    status: z.enum(["ok", "degraded", "down", "maintenance"]),
    db: z.boolean(),
    cache: z.boolean(),
    subsystems: z.object({
      webhook_compatibility: z.boolean(),
      background_jobs: z.object({
        status: z.enum(["ok", "degraded", "down", "not_checked"]),
        checked: z.boolean(),
        total: count(),
        healthy: count(),
        stale: count(),
        missing: count(),
        invalid: count(),
        unconfigured: count(),
        paused: count(),
      }),
    }),
  })
  .meta({ id: "Health" });

/** A probe that takes longer counts as failed. */
const PROBE_MS = 3_000;

export const getHealth = defineOperation({
  kind: "single",
  id: "getHealth",
  method: "get",
  path: "/api/v1/health",
  tag: "System",
  summary: "Say whether the service and its background jobs work.",
  access: "public",
  scope: null,
  plan: null,
  cost: 1,
  params: {},
  query: {},
  reasons: [],
  ipBudget: "health",
  conditional: true,
  cacheSeconds: 0,
  mcpTool: null,
  object: "health",
  data: Health,
  async handle(_input, { db, cache, now }) {
    const [stored, cacheAnswers] = await Promise.all([
      within(readHealth(db)).catch(() => null),
      within(cache.ping()).then(
        () => true,
        () => false,
      ),
    ]);
    const jobs = judgeJobs(JOBS, stored?.heartbeats ?? null, now.getTime());
    // Webhook deliveries are cut from the outbox; without an epoch in force there is nothing they could be cut from.
    const webhookCompatibility = stored !== null && stored.epoch !== null;
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
