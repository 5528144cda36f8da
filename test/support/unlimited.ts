import type { IpBudget } from "../../src/ports/ip-budget.ts";
import type { Meter } from "../../src/ports/meter.ts";

/** Budgets that admit everything and waits that are over at once, for tests of something else. */
export const UNLIMITED: { ipBudget: IpBudget; meter: Meter; wait: () => Promise<void> } = {
  wait: async () => undefined,
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
