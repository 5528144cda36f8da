import type { z } from "zod";
import { defineOperation } from "../../api/operation.ts";
import { INCLUDED_REQUESTS } from "../../domain/monthly-quota.ts";
import type { MeterVerdict } from "../../ports/meter.ts";
import { Usage } from "./schemas.ts";

export const getUsage = defineOperation({
  kind: "single",
  id: "getUsage",
  method: "get",
  path: "/api/v1/usage",
  tag: "Account",
  summary: "Read how much of the minute, the day and the month has been used.",
  description:
    "Costs nothing against these budgets, and answers without a subscription. Up to 100 reads a minute of this and the identity.",
  access: "key",
  scope: "usage",
  plan: null,
  cost: 0,
  params: {},
  query: {},
  reasons: [],
  conditional: false,
  cacheSeconds: 0,
  mcpTool: null,
  reportsAccounting: false,
  object: "usage",
  data: Usage,
  async handle(_input, { principal, admission, now }) {
    if (principal === null || admission === null) throw new Error("usage belongs to a caller");
    return { data: presentUsage(admission, principal.payAsYouGo, now) };
  },
});

/** What was counted when the very request that asks was admitted. */
function presentUsage({ primary, day, quota }: MeterVerdict, payAsYouGo: boolean, now: Date): z.input<typeof Usage> {
  return {
    rate_limit: {
      used: primary.limit - primary.remaining,
      limit: primary.limit,
      remaining: primary.remaining,
      reset_at: unixSeconds(primary.resetAtMs),
      window_seconds: 60,
    },
    daily_usage: { used: day.used, limit: null, remaining: null, reset_at: unixSeconds(day.resetAtMs), window_seconds: 86_400 },
    monthly_quota: {
      used: quota.used,
      limit: INCLUDED_REQUESTS,
      remaining: Math.max(0, INCLUDED_REQUESTS - quota.used),
      reset_at: unixSeconds(quota.resetAtMs),
      // Every month's quota is enforced from its first second.
      enforced_from: unixSeconds(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)),
      binding: true,
      pay_as_you_go: payAsYouGo,
      ceiling: quota.limit,
    },
  };
}

const unixSeconds = (ms: number): number => Math.ceil(ms / 1000);
