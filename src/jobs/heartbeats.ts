import type { ExpectedHeartbeat } from "../domain/job-health.ts";
import { JOBS, type Job } from "./registry.ts";

/** Jobs with shorter pauses are judged by this, so that one slow run is not reported as an outage. */
const SHORTEST_INTERVAL_SECONDS = 60;

const intervalOf = ({ every, healthySeconds }: Job): number =>
  healthySeconds ?? Math.max(SHORTEST_INTERVAL_SECONDS, every === "feed_poll" ? 0 : every / 1_000);

/** All heartbeats that health reads: of the jobs, and of the loops of two other objects. */
export const HEARTBEATS: readonly ExpectedHeartbeat[] = [
  ...JOBS.map((job: Job) => ({ name: job.name, intervalSeconds: intervalOf(job) })),
  { name: "event_stream", intervalSeconds: 60 },
  { name: "webhook_fan_out", intervalSeconds: 60 },
];
