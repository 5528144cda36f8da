import type { Exchange } from "../../api/exchange.ts";
import type { MeterVerdict } from "../../platform/objects/meter.ts";
import type { IpVerdict } from "../../platform/rate-limit/ip-budget.ts";

/** An exchange whose budgets are spent by its first run only: a second run of one call is not charged again. */
export function admitOnce(exchange: Exchange): Exchange {
  const { runtime } = exchange;
  let ip: Promise<IpVerdict> | null = null;
  let user: Promise<MeterVerdict> | null = null;
  return {
    ...exchange,
    runtime: {
      ...runtime,
      ipBudget: { spend: (...request) => (ip ??= runtime.ipBudget.spend(...request)) },
      meter: { admit: (request) => (user ??= runtime.meter.admit(request)) },
    },
  };
}
