import { startOfMonth } from "../../scoring/utc-calendar.ts";
import type { z } from "zod";
import { defineOperation } from "../../api/operation.ts";
import { INCLUDED_REQUESTS } from "../../domain/accounts/monthly-quota.ts";
import type { MeterVerdict } from "../../platform/objects/meter.ts";
import { Usage } from "./schemas.ts";

export const getUsage = defineOperation({
  kind: "single",
  id: "getUsage",
  method: "get",
  path: "/api/v1/usage",
  tag: "Account",
  summary: "Read the request usage of the current minute, day and month.",
  description:
    "Does not count against these budgets and works without a subscription. Up to 100 requests per minute, " +
    "together with the identity operation.",
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
    if (principal === null || admission === null)
      throw new Error("the usage operation requires an authenticated principal and its admission");
    return { data: presentUsage(admission, principal.payAsYouGo, now) };
  },
});

/** Presents the counters that the admission of this request returned. */
function presentUsage({ primary, day, quota }: MeterVerdict, payAsYouGo: boolean, now: Date): z.input<typeof Usage> {
  return {
    rate_limit: {
      used: primary.limit - primary.remaining,
      limit: primary.limit,
      remaining: primary.remaining,
      reset_at: unixSeconds(primary.resetAtMs),
      window_seconds: 60,
    },
    daily_usage: {
      used: day.used,
      limit: null,
      remaining: null,
      reset_at: unixSeconds(day.resetAtMs),
      window_seconds: 86_400,
    },
    monthly_quota: {
      used: quota.used,
      limit: INCLUDED_REQUESTS,
      remaining: Math.max(0, INCLUDED_REQUESTS - quota.used),
      reset_at: unixSeconds(quota.resetAtMs),
      // The quota of each month is enforced from the first second of the month.
      enforced_from: unixSeconds(startOfMonth(now.getTime())),
      binding: true,
      pay_as_you_go: payAsYouGo,
      ceiling: quota.limit,
    },
  };
}

const unixSeconds = (ms: number): number => Math.ceil(ms / 1000);
