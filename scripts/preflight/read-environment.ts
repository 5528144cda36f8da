import { unstable_readConfig as readConfig } from "wrangler";
import { z } from "zod";

export const ENVIRONMENTS = ["staging", "production"] as const;

export type EnvironmentName = (typeof ENVIRONMENTS)[number];

const Producer = z.object({ binding: z.string(), queue: z.string() });
const Consumer = z.object({ queue: z.string(), dead_letter_queue: z.string().optional() }).loose();
const Migration = z.object({
  new_sqlite_classes: z.array(z.string()).default([]),
  renamed_classes: z.array(z.object({ from: z.string(), to: z.string() })).default([]),
  deleted_classes: z.array(z.string()).default([]),
});

/** The part of one environment of wrangler.toml that checks and tests read, as wrangler resolves it. */
const Environment = z.object({
  name: z.string(),
  vars: z.record(z.string(), z.string()),
  routes: z.array(z.object({ pattern: z.string(), custom_domain: z.boolean().optional() })).default([]),
  placement: z.object({ region: z.string() }).optional(),
  workers_dev: z.boolean(),
  preview_urls: z.boolean(),
  queues: z.object({ producers: z.array(Producer), consumers: z.array(Consumer) }),
  r2_buckets: z.array(z.object({ binding: z.string(), bucket_name: z.string() })),
  durable_objects: z.object({ bindings: z.array(z.object({ name: z.string(), class_name: z.string() })) }),
  migrations: z.array(Migration),
  analytics_engine_datasets: z.array(z.object({ binding: z.string(), dataset: z.string() })).default([]),
  observability: z.unknown(),
  triggers: z.unknown(),
  assets: z.unknown(),
  compatibility_flags: z.array(z.string()),
});

export type Environment = z.output<typeof Environment>;

/** @param name an environment of wrangler.toml; empty for the top of the file, which is the local product */
export const readEnvironment = (name: EnvironmentName | ""): Environment =>
  Environment.parse(readConfig({ config: "wrangler.toml", env: name }, { hideWarnings: true }));
