import { z } from "zod";

/** Fields that all shapes of a pick share. */

export const pickDate = z.iso
  .date()
  .meta({ description: "Product day: the date of the kickoff in US Eastern time.", example: "2026-11-20" });
export const pickRank = z
  .int()
  .min(1)
  .max(20)
  .meta({ description: "Position within the product day, from 1. Use pick_id as the identity.", example: 1 });
const pickId = z.string().meta({ description: "The pick's stable id, an integer as text.", example: "451" });
const publicationOrder = z
  .int()
  .meta({ description: "Order of publication within the product day, from 1.", example: 1 });
const isFreeSelection = z
  .boolean()
  .meta({ description: "Whether this is the day's free selection, which every account opens.", example: true });
const supersedes = z
  .string()
  .nullable()
  .meta({ description: "The pick that this one replaces. Always null: picks are not replaced.", example: null });

export const PICK_IDENTITY = {
  pick_id: pickId,
  publication_order: publicationOrder,
  is_free_selection: isFreeSelection,
  supersedes_pick_id: supersedes,
};

export const matchup = z.string().meta({ description: "The game.", example: "Portugal vs. Uzbekistan" });
export const category = z.string().meta({ description: "Sport of the game.", example: "Soccer" });
export const platform = z.literal("polymarket").meta({ description: "Platform of the market.", example: "polymarket" });
export const releaseInstant = z.iso.datetime().meta({
  description: "When the pick is released: one hour before the kickoff.",
  example: "2026-11-20T18:00:00.000Z",
});
export const kickoffInstant = z.iso
  .datetime()
  .meta({ description: "Scheduled start of the game.", example: "2026-11-20T19:00:00.000Z" });
export const outcome = z
  .enum(["pending", "win", "loss", "void"])
  .meta({ description: "Result of the pick. void: the market paid neither side in full.", example: "pending" });
export const outcomeDisplay = z.string().meta({ description: "The result as text.", example: "Pending" });
export const outcomeLabel = z.string().meta({ description: "The backed side.", example: "Portugal" });

export const instant = (description: string, example: string) => z.iso.datetime().meta({ description, example });
export const text = (description: string, example: string) => z.string().meta({ description, example });
export const number = (description: string, example: number) => z.number().meta({ description, example });
export const count = (description: string, example: number) => z.int().min(0).meta({ description, example });
