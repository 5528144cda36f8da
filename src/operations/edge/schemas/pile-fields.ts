import { z } from "zod";

/* The fields that signals and observations share. */

const EXAMPLE_TIME = "2026-11-20T12:00:00.000Z";

export const dollars = (description: string, example: number) =>
  z
    .number()
    .min(0)
    .meta({ description: `${description}, in dollars.`, example });
export const fraction = (description: string, example: number) =>
  z
    .number()
    .min(0)
    .max(1)
    .meta({ description: `${description}, from 0 to 1.`, example });
export const count = (description: string, example: number) => z.int().min(0).meta({ description, example });
export const instant = (description: string) =>
  z.iso.datetime().meta({ description: `${description}, UTC.`, example: EXAMPLE_TIME });

/** A nullable copy of a field, with the meaning of null. */
export const orNull = <S extends z.ZodType>(field: S, meaning: string) =>
  field.nullable().meta({ ...field.meta(), description: `${field.meta()?.description ?? ""} Null ${meaning}.` });

export const sideLabel = z.string().nullable().meta({
  description: "Label of the outcome with the pile, such as a team; null while unknown.",
  example: "Arsenal",
});
export const pileTokenId = z.string().meta({ description: "Token id of that outcome.", example: "1000001" });
export const rawCategory = z
  .string()
  .nullable()
  .meta({ description: "The provider's league tag of the game; null when it has none.", example: "epl" });
export const gameSlug = z
  .string()
  .nullable()
  .meta({ description: "Slug of the game's main event; null when the provider gave none.", example: "epl-ars-che" });
export const pileOutcomeIndex = z
  .int()
  .min(0)
  .max(1)
  .meta({ description: "Index of the outcome with the pile: 0 is YES, 1 is NO.", example: 0 });

const BACKING =
  "Dollars of the pile, weighted by grade: S counts in full, A as a half, B as a quarter. Not a probability";
export const backingScore = dollars(BACKING, 5_250);
export const sideShare = z
  .number()
  .min(-1)
  .max(1)
  .meta({
    description:
      "Graded dollars on YES minus those on NO, divided by both together: a fraction from -1 to 1. Holders of " +
      "both outcomes count with their net shares.",
    example: 0.92,
  });
export const pileShare = fraction("Share of the graded dollars that is on the side with the pile", 0.96);
export const backedUsd = dollars("Value of the net shares of the graded holders on that side", 7_500);
export const gradeCounts = {
  s_count: count("Holders of the pile graded S.", 1),
  a_count: count("Holders of the pile graded A.", 0),
  b_count: count("Holders of the pile graded B.", 2),
};
export const oneWayHolders = count("Holders of the pile without shares of the other outcome.", 2);
export const hedgedHolders = count("Holders of the pile that also hold some of the other outcome.", 1);
export const oneWayUsd = dollars("Value of the net shares of holders without the other outcome", 6_000);
export const oneWayShare = fraction("Share of the pile's dollars of holders without the other outcome", 0.8);
export const rankScore = z
  .number()
  .min(0)
  .meta({
    description:
      "The sort key, highest first, a pure number: holders graded S, then A, then B, then whole dollars. Counts " +
      "above 99 are equal, and so are amounts of a billion dollars.",
    example: 10_002_000_007_500,
  });
/** A deprecated second name of a field. */
export const otherName = <S extends z.ZodType>(field: S, name: string) =>
  field.meta({ ...field.meta(), description: `This is another name of \`${name}\`.`, deprecated: true });
