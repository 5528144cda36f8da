import { z } from "zod";
import { conditionId, marketId, nullablePlatform } from "../../shared-fields.ts";

const Status = z.enum(["active", "closed"]).meta({
  description:
    "active: the market is trading. closed: trading has closed, the market has resolved, or its end time has " +
    "passed without later quotes.",
  examples: ["active"],
});
const text = () => z.string().nullable();

export const MarketSearchResult = z
  .object({
    id: marketId,
    condition_id: conditionId,
    title: z.string().meta({ description: "The market's question.", examples: ["Will it rain in Paris on Sunday?"] }),
    slug: text().meta({
      description: "The provider's URL slug; null when there is none.",
      examples: ["rain-in-paris-on-sunday"],
    }),
    category: text().meta({
      description: "Market category; null when the provider's tags match no category.",
      examples: ["Science & Tech"],
    }),
    platform: nullablePlatform,
    status: Status,
  })
  .meta({ id: "MarketSearchResult", description: "One market in the search results." });
