import type { IpBudget, IpVerdict } from "../../../src/platform/rate-limit/ip-budget.ts";
import {
  MeterUnavailable,
  type Meter,
  type MeterRequest,
  type MeterVerdict,
} from "../../../src/platform/objects/meter.ts";

/** A user meter that returns the scripted verdict and records its requests. */
export interface ScriptedMeter extends Meter {
  readonly requests: MeterRequest[];
  /** Verdict for the next requests; null while the meter is unavailable. */
  verdict: MeterVerdict | null;
}

export function scriptedMeter(verdict: MeterVerdict | null): ScriptedMeter {
  const meter: ScriptedMeter = {
    requests: [],
    verdict,
    async admit(request) {
      meter.requests.push(request);
      if (meter.verdict === null) throw new MeterUnavailable("made unavailable by the test");
      return meter.verdict;
    },
  };
  return meter;
}

/** Address budgets that return the scripted verdict and record which address spent which budget. */
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
