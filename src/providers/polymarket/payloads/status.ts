import { z } from "zod";
import { OptionalDate } from "./fields.ts";

/** `/v2/status`: how far the Data API lags behind the chain. */
export const StatusResponse = z.object({
  data: z.object({
    computed_at: OptionalDate,
    serving: z.object({ lag_seconds: z.number().min(0), worst: z.string().nullish() }),
  }),
});
