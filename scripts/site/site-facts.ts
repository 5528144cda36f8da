import { readFileSync } from "node:fs";
import { z } from "zod";

const OperationFacts = z.strictObject({
  access: z.enum(["public", "key"]),
  scope: z.string().nullable(),
  plan: z.enum(["pro", "max"]).nullable(),
  cost: z.int(),
  mcpTool: z.string().nullable(),
  idempotent: z.boolean(),
  /** Seconds for which a cached response may be served. */
  cacheSeconds: z.int(),
  isBatch: z.boolean(),
  /** Set on an older spelling. */
  alias: z.strictObject({ of: z.string(), since: z.iso.date(), sunset: z.iso.date() }).nullable(),
});

const ErrorFacts = z.strictObject({
  reason: z.string(),
  status: z.int(),
  code: z.string(),
  message: z.string(),
  retryAfterSeconds: z.int().nullable(),
  retrySpreadSeconds: z.int(),
  isPublished: z.boolean(),
});

const EventFacts = z.strictObject({
  spellings: z.array(z.string()).min(1),
  frame: z.string(),
  access: z.enum(["public", "paid", "owner"]),
  isLive: z.boolean(),
  firesWhen: z.string(),
});

const ContentFacts = z.strictObject({
  kind: z.string(),
  slug: z.string(),
  title: z.string(),
  summary: z.string(),
  body: z.array(z.string()),
});

/** What the pages take from the code. `npm run openapi` writes it, so that the build of the site does not load the registry. */
export const SiteFacts = z.strictObject({
  /** By operation id. */
  operations: z.record(z.string(), OperationFacts),
  errors: z.array(ErrorFacts),
  events: z.array(EventFacts),
  content: z.array(ContentFacts),
  /** The limits and lifetimes that pages name as `{{name}}`, as they are shown. */
  numbers: z.record(z.string(), z.string()),
});

export type SiteFacts = z.output<typeof SiteFacts>;
export type ErrorFacts = z.output<typeof ErrorFacts>;
export type OperationFacts = z.output<typeof OperationFacts>;
export type ContentFacts = z.output<typeof ContentFacts>;

export const readSiteFacts = (): SiteFacts =>
  SiteFacts.parse(JSON.parse(readFileSync(new URL("../../src/generated/site-facts.json", import.meta.url), "utf8")));
