import { z } from "zod";
import { FLOW_WINDOW_HOURS, type FlowWindow } from "../../domain/flow-windows.ts";

/** What answers made of recorded trades add to `meta`. */
export const COVERED_FROM = {
  covered_from: z.iso.datetime().nullable().meta({
    description:
      "From when on every trade is recorded, UTC; a window or bucket that begins before is known in part. Null while none is recorded.",
    example: "2026-11-01T00:00:00.000Z",
  }),
};

/** Whether the takers' feed was read after the window began: otherwise nothing is known of it, and a flow of 0 would be made up. */
export const isCovered = (feedReadAt: string | null, window: FlowWindow, now: Date): boolean =>
  feedReadAt !== null && Date.parse(feedReadAt) > now.getTime() - FLOW_WINDOW_HOURS[window] * 3_600_000;
