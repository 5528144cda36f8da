import { z } from "zod";
import { parseMicro } from "../../../src/domain/money.ts";

/** Field schemas that recorded rows share, in addition to those of the product's own payload schemas. */

/** Dollars or shares of either sign, in millionths. */
export const SignedMicro = z.number().transform((value, context) => {
  const micro = parseMicro(value);
  if (micro !== null) return micro;
  context.addIssue({ code: "custom", message: "expected a decimal" });
  return z.NEVER;
});

/** `2022-01-12 21:10:26` in UTC, as epoch seconds. */
export const SpacedTime = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/, "expected a time")
  .transform((value) => Date.parse(`${value.slice(0, 10)}T${value.slice(11, 19)}Z`) / 1000)
  .refine(Number.isFinite, "expected a time");

export const EpochWhole = z.number().int().positive();

export const AnyText = z
  .string()
  .nullish()
  .transform((value) => value ?? "");

export const Side = z
  .string()
  .toUpperCase()
  .pipe(z.enum(["BUY", "SELL"]));

/** Shares or dollars that cannot be negative. */
export const Amount = z.number().nonnegative();

export const Price = z.number().min(0).max(1);

export const MICRO = 1e6;
