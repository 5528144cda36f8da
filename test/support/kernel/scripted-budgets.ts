import type { IpBudget, IpVerdict } from "../../../src/ports/ip-budget.ts";
import { MeterUnavailable, type Meter, type MeterRequest, type MeterVerdict } from "../../../src/ports/meter.ts";

/** A user's budgets that answer as they are told, and remember what they were asked. */
export interface ScriptedMeter extends Meter {
  readonly asked: MeterRequest[];
  /** What the next requests are told; null while the meter is away. */
  verdict: MeterVerdict | null;
}

export function scriptedMeter(verdict: MeterVerdict | null): ScriptedMeter {
  const meter: ScriptedMeter = {
    asked: [],
    verdict,
    async admit(request) {
      meter.asked.push(request);
      if (meter.verdict === null) throw new MeterUnavailable("told to be away");
      return meter.verdict;
    },
  };
  return meter;
}

/** An address's budgets that answer as they are told, and remember who spent which. */
export interface ScriptedIpBudget extends IpBudget {
  readonly spent: [ip: string, budget: string][];
  verdict: IpVerdict;
}

export function scriptedIpBudget(verdict: IpVerdict): ScriptedIpBudget {
  const budget: ScriptedIpBudget = {
    spent: [],
    verdict,
    async spend(ip, name) {
      budget.spent.push([ip, name]);
      return budget.verdict;
    },
  };
  return budget;
}
