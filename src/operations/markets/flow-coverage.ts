import { z } from "zod";
import { FLOW_WINDOW_HOURS, type FlowWindow } from "../../domain/markets/flow-windows.ts";
import { HOUR_MS } from "../../scoring/utc-calendar.ts";

/** Members that responses based on recorded trades add to `meta`. */
export const COVERAGE_META = {
  covered_from: z.iso
    .datetime()
    .nullable()
    .meta({
      description:
        "Time from which every trade is recorded, UTC. A window or bucket that starts earlier is incomplete. Null " +
        "while no trade is recorded.",
      example: "2026-11-01T00:00:00.000Z",
    }),
};

/** Whether the taker feed was read after the start of the window. Otherwise the flow is unknown, not 0. */
export const isWindowCovered = (feedReadAt: string | null, window: FlowWindow, now: Date): boolean =>
  feedReadAt !== null && Date.parse(feedReadAt) > now.getTime() - FLOW_WINDOW_HOURS[window] * HOUR_MS;
