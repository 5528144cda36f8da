import { z } from "zod";

const Status = z
  .enum(["active", "closed"])
  .meta({ description: "closed once trading has closed or the market has resolved.", examples: ["active"] });
const text = () => z.string().nullable();

export const MarketSearchResult = z
  .object({
    id: z.string().meta({ description: "mkt_ id.", examples: ["mkt_7"] }),
    condition_id: z.string().meta({
      description: "The provider's condition id.",
      examples: ["0x00000000000000000000000000000000000000000000000000000000000000a7"],
    }),
    title: z.string().meta({ description: "The market's question.", examples: ["Will it rain in Paris on Sunday?"] }),
    slug: text().meta({ description: "The provider's slug; null when it gave none.", examples: ["rain-in-paris-on-sunday"] }),
    category: text().meta({ description: "Its category; null when it has none.", examples: ["Science & Tech"] }),
    platform: z
      .enum(["polymarket"])
      .nullable()
      .meta({ description: "Where it trades.", examples: ["polymarket"] }),
    status: Status,
  })
  .meta({ id: "MarketSearchResult", description: "A market that was found." });
