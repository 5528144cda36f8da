import { z } from "zod";

/** The payload of events that report how many items are new. */
export const CountData = z
  .object({ count: z.int().positive().meta({ description: "Number of new or changed items.", example: 3 }) })
  .meta({ id: "WebhookCountData", description: "A number of items; read the items from the list." });
