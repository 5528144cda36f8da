import { z } from "zod";
import stored from "./request-counts.json" with { type: "json" };

/** What the services bill, in the order of the tables in docs/cost.md. Redis: each command that a script runs counts. */
export const BILLED = {
  worker_requests: "Worker requests",
  object_requests: "Durable Object requests",
  object_rows_read: "Durable Object rows read",
  object_rows_written: "Durable Object rows written",
  redis_commands: "Redis commands",
  postgres_statements: "Postgres statements over HTTP",
  session_round_trips: "Postgres session round trips",
  queue_messages: "Queue messages",
  r2_class_a: "R2 class A operations",
  r2_class_b: "R2 class B operations",
  metric_points: "Analytics Engine points",
} as const;

export type Billed = keyof typeof BILLED;

export const BILLED_NAMES = Object.keys(BILLED) as Billed[];

/** The kinds of requests that are counted, each in its usual state: credential known, meter and objects in use. */
export const KINDS = {
  public_read: "Public read: the discovery response",
  cached_read: "Authenticated read, cached in the isolate",
  uncached_read: "Authenticated read, not cached: one trader",
  list: "List, not cached: the first page of large trades",
  batch: "Batch of traders",
  mcp_call: "MCP tool call, not cached: one trader",
  export_submit: "Export: submit",
  export_status: "Export: status",
  export_file: "Export: writing its file, one part",
  stream_join: "Stream: one connection joins its shard",
  webhook_delivery: "Webhook: one event to one endpoint, alone in its batch",
  usage_flush: "Usage flush of one account, at most every 30 s while it is active",
} as const;

export type Kind = keyof typeof KINDS;

export const KIND_NAMES = Object.keys(KINDS) as Kind[];

const Counts = z.strictObject(
  Object.fromEntries(BILLED_NAMES.map((name) => [name, z.int().min(0)])) as Record<Billed, z.ZodInt>,
);

export type OperationCounts = z.output<typeof Counts>;

export const RequestCounts = z.strictObject(
  Object.fromEntries(KIND_NAMES.map((kind) => [kind, Counts])) as Record<Kind, typeof Counts>,
);

export type RequestCounts = z.output<typeof RequestCounts>;

/** The recorded counts. `test/worker/cost` counts again and compares. */
export const readRequestCounts = (): RequestCounts => RequestCounts.parse(stored);
