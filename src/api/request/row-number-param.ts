import { z } from "zod";

/** A number above this is well formed but refers to no row, so it is clamped and returns 404. */
const MAX_NUMBER = Number.MAX_SAFE_INTEGER;

/** Path parameter with the bare number of a row. */
export const rowNumberParam = (description: string, example: number) =>
  z
    .preprocess(
      (text) => (/^[1-9]\d*$/.test(String(text)) ? Math.min(Number(text), MAX_NUMBER) : Number.NaN),
      z.int("expected a positive integer").min(1),
    )
    .meta({ description, format: "int64", example });
