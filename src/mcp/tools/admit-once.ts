import type { Exchange } from "../../api/exchange.ts";
import type { Admission } from "../../platform/objects/meter.ts";
import type { IpVerdict } from "../../platform/rate-limit/ip-budget.ts";

/** An exchange whose budgets are spent by its first run only: a second run of one call is not charged again. */
export function admitOnce(exchange: Exchange): Exchange {
  const { runtime } = exchange;
  let ip: Promise<IpVerdict> | null = null;
  let user: Promise<Admission> | null = null;
  return {
    ...exchange,
    runtime: {
      ...runtime,
      ipBudget: { spend: (...request) => (ip ??= runtime.ipBudget.spend(...request)) },
      meter: {
        admit: (...request) => (user ??= runtime.meter.admit(...request)),
        authorize: (...request) => runtime.meter.authorize(...request),
        refuse: (...credentials) => runtime.meter.refuse(...credentials),
        forget: (accountId) => runtime.meter.forget(accountId),
      },
    },
  };
}
