import { z } from "zod";

/*
 * Fields that many responses share: one meaning, one description, one example each. Without a value, an
 * `optional` field is left out and a `nullable` field is null.
 */

export const EXAMPLE_WALLET_ADDRESS = `0x${"1".repeat(40)}`;
export const EXAMPLE_CONDITION_ID = `0x${"7".repeat(64)}`;

const slug = { description: "The provider's URL slug", example: "will-it-rain" };
const category = { description: "Market category", example: "Politics" };
const username = { description: "Username on the provider", example: "alice" };

export const traderId = z.string().meta({ description: "The trader's trd_ id.", example: "trd_12" });
export const walletAddress = z
  .string()
  .meta({ description: "The trader's wallet address, lower case.", example: EXAMPLE_WALLET_ADDRESS });
export const optionalUsername = z
  .string()
  .optional()
  .meta({ ...username, description: `${username.description}; left out when there is none.` });
export const nullableUsername = z
  .string()
  .nullable()
  .meta({ ...username, description: `${username.description}; null when there is none.` });

export const marketId = z.string().meta({ description: "The market's mkt_ id.", example: "mkt_7" });
export const conditionId = z.string().meta({
  description: "The provider's market id: 0x and 64 hex digits.",
  example: EXAMPLE_CONDITION_ID,
});
export const nullableTitle = z.string().nullable().meta({
  description: "The market's question; null until the market is read from the provider.",
  example: "Will it rain?",
});
export const optionalSlug = z
  .string()
  .optional()
  .meta({ ...slug, description: `${slug.description}; left out while unknown.` });
export const nullableSlug = z
  .string()
  .nullable()
  .meta({ ...slug, description: `${slug.description}; null while unknown.` });
export const optionalEventSlug = z
  .string()
  .optional()
  .meta({ description: "The provider's URL slug of the event; left out while unknown.", example: "weather" });
export const optionalCategory = z
  .string()
  .optional()
  .meta({ ...category, description: `${category.description}; left out when the provider's tags match no category.` });
export const nullableCategory = z
  .string()
  .nullable()
  .meta({ ...category, description: `${category.description}; null when the provider's tags match no category.` });
export const nullablePlatform = z
  .enum(["polymarket"])
  .nullable()
  .meta({ description: "Platform where the market trades; null while unknown.", example: "polymarket" });

export const nullableTokenId = z
  .string()
  .nullable()
  .meta({ description: "Token id of the outcome, a decimal string; null while unknown.", example: "1000001" });
export const positionId = z.string().meta({
  description: "pos_ followed by wallet address, condition id and outcome index (0 YES, 1 NO), separated by colons.",
  example: `pos_${EXAMPLE_WALLET_ADDRESS}:${EXAMPLE_CONDITION_ID}:0`,
});
