import type { Billed } from "./request-counts.ts";

/** Where a price was read, and when. */
export interface Source {
  readonly name: string;
  readonly url: string;
  /** Date of the reading. */
  readonly read: string;
}

export interface Price {
  /** US dollars for a million units. */
  readonly usdPerMillion: number;
  /** Units a month that the plan includes. */
  readonly included: number;
  readonly source: Source;
}

const DOCS = "https://github.com/cloudflare/cloudflare-docs/blob/production/src/content";
const WORKERS = {
  name: "Cloudflare docs, Workers pricing",
  url: `${DOCS}/docs/workers/platform/pricing.mdx`,
  read: "2026-11-26",
};
const OBJECTS = {
  name: "Cloudflare docs, Durable Objects pricing",
  url: `${DOCS}/partials/durable-objects/durable-objects-pricing.mdx`,
  read: "2026-11-26",
};
const QUEUES = {
  name: "Cloudflare docs, Queues pricing",
  url: `${DOCS}/partials/workers/queues_pricing.mdx`,
  read: "2026-11-26",
};
const LOGS = {
  name: "Cloudflare docs, Workers Logs pricing (another price list applies from 2026-12-01)",
  url: `${DOCS}/partials/workers/workers_logs_pricing.mdx`,
  read: "2026-11-26",
};
const METRICS = {
  name: "Cloudflare docs, Analytics Engine pricing",
  url: "https://developers.cloudflare.com/analytics/analytics-engine/pricing",
  read: "2026-11-26",
};
const UPSTASH = {
  name: "Upstash pay-as-you-go, as quoted by Flexprice on 2026-11-09",
  url: "https://docs.flexprice.io/cookbooks/pricing-teardowns/upstash-pricing.md",
  read: "2026-11-26",
};
const NEON = {
  name: "Neon plans, Scale, as quoted in the project's production review",
  url: "https://raw.githubusercontent.com/neondatabase/website/main/content/docs/introduction/plans.md",
  read: "2026-11-26",
};

const WRITE_READ_DELETE = 3;

/** Operations without a price of their own: Postgres bills compute and egress, which are estimated below. */
export const PRICES: Readonly<Record<Billed, Price | null>> = {
  worker_requests: { usdPerMillion: 0.3, included: 10e6, source: WORKERS },
  object_requests: { usdPerMillion: 0.15, included: 1e6, source: OBJECTS },
  object_rows_read: { usdPerMillion: 0.001, included: 25e9, source: OBJECTS },
  object_rows_written: { usdPerMillion: 1, included: 50e6, source: OBJECTS },
  redis_commands: { usdPerMillion: 2, included: 0, source: UPSTASH },
  postgres_statements: null,
  session_round_trips: null,
  // A message is written, read and deleted: three operations of $0.40 per million, of which a million is included.
  queue_messages: { usdPerMillion: 0.4 * WRITE_READ_DELETE, included: 1e6 / WRITE_READ_DELETE, source: QUEUES },
  r2_class_a: { usdPerMillion: 4.5, included: 1e6, source: WORKERS },
  r2_class_b: { usdPerMillion: 0.36, included: 10e6, source: WORKERS },
  metric_points: { usdPerMillion: 0.25, included: 10e6, source: METRICS },
};

/** What is billed by time or size, and estimated from the counted operations. */
export const ESTIMATED_PRICES = {
  cpu_ms: { usdPerMillion: 0.02, included: 30e6, source: WORKERS },
  object_gb_seconds: { usdPerMillion: 12.5, included: 400_000, source: OBJECTS },
  log_lines: { usdPerMillion: 0.6, included: 20e6, source: LOGS },
  /** A gigabyte at $0.10, of which 100 are included: in megabytes. */
  postgres_egress_mb: { usdPerMillion: 100, included: 100_000, source: NEON },
} satisfies Record<string, Price>;

export type Estimated = keyof typeof ESTIMATED_PRICES;

export const ESTIMATED: Readonly<Record<Estimated, string>> = {
  cpu_ms: "Worker CPU, ms",
  object_gb_seconds: "Durable Object duration, GB-s",
  log_lines: "Log lines",
  postgres_egress_mb: "Postgres egress, MB",
};

export const SUBSCRIPTION = { usdPerMonth: 5, source: WORKERS } as const;

export const POSTGRES_COMPUTE = { usdPerHour: 0.222, hoursPerMonth: 730, source: NEON } as const;
