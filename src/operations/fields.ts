import { z } from "zod";

/*
 * Fields that many answers have: one meaning, one wording, one example. `IfAny` is left out, `OrNull` is null, when there is none.
 */

export const EXAMPLE_WALLET = `0x${"1".repeat(40)}`;
export const EXAMPLE_CONDITION_ID = `0x${"7".repeat(64)}`;

const slug = { description: "The provider's name in addresses", example: "will-it-rain" };
const category = { description: "Our category", example: "Politics" };
const username = { description: "Its name on the provider", example: "alice" };

export const traderId = z.string().meta({ description: "The wallet's trd_ id.", example: "trd_12" });
export const walletAddress = z.string().meta({ description: "The wallet's address, lower case.", example: EXAMPLE_WALLET });
export const usernameIfAny = z
  .string()
  .optional()
  .meta({ ...username, description: `${username.description}; left out when it has none.` });
export const usernameOrNull = z
  .string()
  .nullable()
  .meta({ ...username, description: `${username.description}; null when it has none.` });

export const marketId = z.string().meta({ description: "The market's mkt_ id.", example: "mkt_7" });
export const conditionId = z.string().meta({
  description: "The provider's id of the market: 0x and 64 hex digits.",
  example: EXAMPLE_CONDITION_ID,
});
export const titleOrNull = z
  .string()
  .nullable()
  .meta({ description: "The market's question; null while it has not been read.", example: "Will it rain?" });
export const slugIfAny = z
  .string()
  .optional()
  .meta({ ...slug, description: `${slug.description}; left out while unknown.` });
export const slugOrNull = z
  .string()
  .nullable()
  .meta({ ...slug, description: `${slug.description}; null while unknown.` });
export const eventSlugIfAny = z
  .string()
  .optional()
  .meta({ description: "The same of its event; left out while unknown.", example: "weather" });
export const categoryIfAny = z
  .string()
  .optional()
  .meta({ ...category, description: `${category.description}; left out when the provider's tags name none.` });
export const categoryOrNull = z
  .string()
  .nullable()
  .meta({ ...category, description: `${category.description}; null when the provider's tags name none.` });
export const platformOrNull = z
  .enum(["polymarket"])
  .nullable()
  .meta({ description: "Where it is traded; null while unknown.", example: "polymarket" });

export const tokenIdOrNull = z
  .string()
  .nullable()
  .meta({ description: "The outcome's token, a decimal text; null while it is not known.", example: "1000001" });
export const positionId = z.string().meta({
  description: "pos_, then wallet, condition id and outcome index (0 YES, 1 NO) with colons between.",
  example: `pos_${EXAMPLE_WALLET}:${EXAMPLE_CONDITION_ID}:0`,
});
