import { StreamUnavailable, type EventStreamPort } from "../../src/platform/objects/event-stream-port.ts";
import type { ArtifactStore } from "../../src/platform/artifacts/artifact-store.ts";
import type { ExportPorts } from "../../src/platform/artifacts/export-ports.ts";
import type { HolderScanner } from "../../src/platform/objects/holder-scanner.ts";
import type { IpBudget } from "../../src/platform/rate-limit/ip-budget.ts";
import type { Metrics } from "../../src/platform/metrics/metrics.ts";
import type { Meter } from "../../src/platform/objects/meter.ts";
import type { RequestLimiter } from "../../src/platform/rate-limit/request-limiter.ts";
import type { WebhookPorts } from "../../src/platform/objects/webhook-ports.ts";
import { FaultyArtifactStore } from "./exports/faulty-artifact-store.ts";

/** The website's own rate limits, which admit everything. */
export const NO_REQUEST_LIMITS: RequestLimiter = { spend: async () => null };

/**
 * Defaults for tests of something else: nothing is measured, budgets admit everything, waits end at once, holders are never
 * scanned, the stream cannot be joined, and every webhook receiver is allowed but unreachable.
 */
export const UNLIMITED: {
  ipBudget: IpBudget;
  meter: Meter;
  eventStream: EventStreamPort;
  webhooks: WebhookPorts;
  holderScanner: HolderScanner;
  metrics: Metrics;
  exports: ExportPorts;
  artifacts: ArtifactStore;
  wait: () => Promise<void>;
} = {
  wait: async () => undefined,
  holderScanner: { scan: async () => false },
  metrics: { write: () => undefined },
  exports: {
    enqueue: async () => undefined,
    createLink: async () => {
      throw new Error("files are not stored in this test");
    },
  },
  artifacts: new FaultyArtifactStore(),
  eventStream: {
    join: async () => {
      throw new StreamUnavailable("the stream is not available in this test");
    },
  },
  webhooks: {
    policy: {
      resolver: { resolve: async () => ({ kind: "addresses", addresses: ["1.1.1.1"] }) },
      allowLoopback: false,
    },
    fetch: async () => {
      throw new Error("webhook receivers are not reachable in this test");
    },
    enqueue: async () => undefined,
    hold: async () => undefined,
    resume: async () => undefined,
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
  },
  ipBudget: {
    spend: async () => ({
      refusedBy: null,
      retryAtMs: null,
      limit: 1_200,
      remaining: 1_199,
      resetAtMs: Date.now() + 60_000,
    }),
  },
  meter: {
    admit: async ({ quota, batchUnits }) => {
      const window = { limit: 100, remaining: 99, resetAtMs: Date.now() + 60_000 };
      return {
        refusedBy: null,
        retryAtMs: null,
        accounting: "persisted",
        window,
        primary: window,
        batch: batchUnits === null ? null : { ...window, remaining: 100 - batchUnits },
        quota: { limit: quota.included, remaining: quota.included - 1, used: 1, resetAtMs: Date.now() + 86_400_000 },
        day: { used: 1, resetAtMs: Date.now() + 86_400_000 },
      };
    },
  },
};
