import { reachesFloor } from "../dollar-floor.ts";
import { FLOW_ALERT_RELEASE_PERCENT } from "./parameters.ts";

/** The side of a net flow: beyond the threshold on YES, beyond it on NO, or between. */
export type FlowSide = "yes" | "no" | "none";

/**
 * Decides the side of a flow, with hysteresis. A flow enters a side at the threshold and leaves it only below
 * 80 % of the threshold, so that a flow close to the threshold does not alternate.
 *
 * @param netMicro YES minus NO, micro-dollars
 * @param before the last side; `none` when there was none
 * @param thresholdMicro above 0
 */
export function flowSideOf(netMicro: bigint, before: FlowSide, thresholdMicro: bigint): FlowSide {
  const side = netMicro < 0n ? "no" : "yes";
  const size = netMicro < 0n ? -netMicro : netMicro;
  if (reachesFloor(size, thresholdMicro)) return side;
  return side === before && reachesFloor(size, (thresholdMicro * FLOW_ALERT_RELEASE_PERCENT) / 100n) ? side : "none";
}
