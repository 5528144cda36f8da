import { reachesFloor } from "../dollar-floor.ts";
import { FLOW_ALERT_RELEASE_PERCENT } from "./parameters.ts";

/** Where a net flow stands: beyond the threshold on YES, beyond it on NO, or between. */
export type FlowSide = "yes" | "no" | "none";

/**
 * The side a flow stands on. It comes to stand on a side at the threshold, and leaves it only when less than 80 % of the threshold is left, so
 * that a flow moving about the threshold does not come and go.
 *
 * @param netMicro YES less NO, micro-dollars
 * @param before where it stood last; `none` when it never stood anywhere
 * @param thresholdMicro above 0
 */
export function flowSideOf(netMicro: bigint, before: FlowSide, thresholdMicro: bigint): FlowSide {
  const side = netMicro < 0n ? "no" : "yes";
  const size = netMicro < 0n ? -netMicro : netMicro;
  if (reachesFloor(size, thresholdMicro)) return side;
  return side === before && reachesFloor(size, (thresholdMicro * FLOW_ALERT_RELEASE_PERCENT) / 100n) ? side : "none";
}
