import { z } from "zod";
import { SCOPES } from "../../domain/accounts.ts";

/** Text that people read in lists: no control characters, no blanks around it. */
const name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^\P{Cc}*$/u, "Control characters are not allowed");

export const MAX_LIFETIME_DAYS = 90;

/** A request that has nothing to say but that it is made. */
export const NoFields = z.strictObject({});

export const NewKey = z.strictObject({ name: name.optional() });

export const NewIntegration = z.strictObject({
  name,
  scopes: z
    .array(z.enum(SCOPES))
    .min(1)
    .refine((scopes) => new Set(scopes).size === scopes.length, "Scopes must not repeat"),
  expires_in_days: z.int().min(1).max(MAX_LIFETIME_DAYS).default(MAX_LIFETIME_DAYS),
});
