import type { ExpectedHeartbeat } from "../domain/job-health.ts";
import { listConfiguredJobs, type Job } from "./registry.ts";

/** Jobs with shorter pauses are judged by this, so that one slow run is not reported as an outage. */
const SHORTEST_INTERVAL_SECONDS = 60;

const intervalOf = ({ every, healthySeconds }: Job): number =>
  healthySeconds ?? Math.max(SHORTEST_INTERVAL_SECONDS, every === "feed_poll" ? 0 : every / 1_000);

const expect = (job: Job): ExpectedHeartbeat => ({ name: job.name, intervalSeconds: intervalOf(job) });
/** Of the loops of two other objects. */
const LOOPS: readonly ExpectedHeartbeat[] = [
  { name: "event_stream", intervalSeconds: 60 },
  { name: "webhook_fan_out", intervalSeconds: 60 },
];

/** The heartbeats that health expects with these settings. */
export const listHeartbeats = (settings: Parameters<typeof listConfiguredJobs>[0]): readonly ExpectedHeartbeat[] => [
  ...listConfiguredJobs(settings).map(expect),
  ...LOOPS,
];

/** The heartbeats without the optional jobs. */
export const HEARTBEATS: readonly ExpectedHeartbeat[] = listHeartbeats({
  ...{ heavyJobs: true, archiveSigningKey: null, archiveRetentionDays: null, iceberg: null, chain: null },
});
