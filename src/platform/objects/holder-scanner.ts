import type { Env } from "../../env.ts";
import { currentScope } from "../../lib/work-scope.ts";
import { consoleLog, describeError } from "../log/console-log.ts";
import { jobRunner } from "./lanes.ts";

/** The lane whose object scans while a request waits. */
const HOLDERS_LANE = "figures";

/** Scans a market's holders while a request waits for them. */
export interface HolderScanner {
  /**
   * Resolves when the scan has ended, complete or not; to false when none was started because the limit of
   * concurrent scans is reached, or when it failed. Never rejects: the `scan_holders` job scans the market
   * later.
   */
  scan(marketId: number): Promise<boolean>;
}

export const openHolderScanner = (env: Pick<Env, "JOB_RUNNER" | "REGION">): HolderScanner => ({
  async scan(marketId) {
    try {
      return await jobRunner(env, HOLDERS_LANE).scanHolders(marketId, currentScope()?.requestId ?? null);
    } catch (error) {
      consoleLog.warn("holders.scan_failed", { market_id: marketId, error: describeError(error) });
      return false;
    }
  },
});
