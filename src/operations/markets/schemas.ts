import { z } from "zod";
import { conditionId, marketId, platformOrNull } from "../fields.ts";

const Status = z.enum(["active", "closed"]).meta({
  description:
    "active while it is traded; closed once trading has closed, the market has resolved, or its end has come and no quotes from after it are known.",
  examples: ["active"],
});
const text = () => z.string().nullable();

export const MarketSearchResult = z
  .object({
    id: marketId,
    condition_id: conditionId,
    title: z.string().meta({ description: "The market's question.", examples: ["Will it rain in Paris on Sunday?"] }),
    slug: text().meta({ description: "The provider's name in addresses; null when it gave none.", examples: ["rain-in-paris-on-sunday"] }),
    category: text().meta({ description: "Our category; null when the provider's tags name none.", examples: ["Science & Tech"] }),
    platform: platformOrNull,
    status: Status,
  })
  .meta({ id: "MarketSearchResult", description: "A market that was found." });
