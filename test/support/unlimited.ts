import { StreamUnavailable, type EventStreamPort } from "../../src/ports/event-stream.ts";
import type { HolderScanner } from "../../src/ports/holder-scanner.ts";
import type { IpBudget } from "../../src/ports/ip-budget.ts";
import type { Meter } from "../../src/ports/meter.ts";
import type { RequestLimiter } from "../../src/ports/request-limiter.ts";
import type { WebhookPorts } from "../../src/ports/webhook-ports.ts";

/** The website's own budgets, which admit everything. */
export const NO_REQUEST_LIMITS: RequestLimiter = { spend: async () => null };

/**
 * Budgets that admit everything, waits that are over at once, holders that nobody scans, a stream that nobody can join, and webhook receivers that may all be posted to
 * and that nobody reaches, for tests of something else.
 */
export const UNLIMITED: {
  ipBudget: IpBudget;
  meter: Meter;
  eventStream: EventStreamPort;
  webhooks: WebhookPorts;
  holderScanner: HolderScanner;
  wait: () => Promise<void>;
} = {
  wait: async () => undefined,
  holderScanner: { scan: async () => false },
  eventStream: {
    join: async () => {
      throw new StreamUnavailable("this is a test of something else");
    },
  },
  webhooks: {
    policy: { resolver: { resolve: async () => ({ kind: "addresses", addresses: ["1.1.1.1"] }) }, allowLoopback: false },
    fetch: async () => {
      throw new Error("this is a test of something else");
    },
    tell: async () => undefined,
    hold: async () => undefined,
    resume: async () => undefined,
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
  },
  ipBudget: { spend: async () => ({ refusedBy: null, retryAtMs: null, limit: 1_200, remaining: 1_199, resetAtMs: Date.now() + 60_000 }) },
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
