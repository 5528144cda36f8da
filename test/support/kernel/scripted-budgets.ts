import type { IpBudget, IpVerdict } from "../../../src/platform/rate-limit/ip-budget.ts";
import {
  MeterUnavailable,
  type CallerRequest,
  type Meter,
  type MeterVerdict,
} from "../../../src/platform/objects/meter.ts";
import { meterWith } from "../api/unlimited.ts";

/** A meter that returns the scripted verdict for granted credentials, and records their requests. */
export interface ScriptedMeter extends Meter {
  readonly requests: CallerRequest[];
  /** Verdict for the next requests; null while the meter is unavailable. */
  verdict: MeterVerdict | null;
}

/** @param credentials decide who is granted */
export function scriptedMeter(verdict: MeterVerdict | null, credentials: Omit<Meter, "admit">): ScriptedMeter {
  const script = { requests: [] as CallerRequest[], verdict };
  const meter = meterWith(credentials, (request) => {
    script.requests.push(request);
    if (script.verdict === null) throw new MeterUnavailable("made unavailable by the test");
    return script.verdict;
  });
  return Object.assign(script, meter);
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
