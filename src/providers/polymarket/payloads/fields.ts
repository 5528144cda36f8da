import { z } from "zod";
import { parseConditionId, parseWallet } from "../../../domain/ids.ts";
import { parseMicro } from "../../../domain/money.ts";
import { plainDecimal } from "./decimal.ts";
import { parseProviderDate } from "./provider-date.ts";

/** A schema from a function that answers null for what does not fit. */
function parsed<In extends z.ZodType, Out>(input: In, parse: (value: z.output<In>) => Out | null, expected: string) {
  return input.transform((value, context) => {
    const out = parse(value);
    if (out !== null) return out;
    context.addIssue({ code: "custom", message: `expected ${expected}` });
    return z.NEVER;
  });
}

/** Absent, null and "" are null: unavailable, never 0. */
export function optional<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => (value === "" ? null : value), schema.nullish()).transform((value) => value ?? null);
}

const NumberLike = z.union([z.number(), z.string()], "expected a number");

/** Postgres stores no NUL character, and one in a title would hold up its whole page. */
const withoutNul = (text: string) => text.replaceAll("\u0000", "");

/** Text that must be there. */
export const Text = z.string().transform(withoutNul).pipe(z.string().trim().min(1));

/** Text the provider may leave out, set to null or send empty. */
export const OptionalText = optional(z.string().transform(withoutNul)).transform((text) => text?.trim() || null);

export const OptionalFlag = optional(z.boolean());

/** An id that some routes write as a number. */
export const Id = z.union([Text, z.number().int()], "expected an id").transform(String);

/** Lower case. */
export const Wallet = parsed(z.string(), parseWallet, "a wallet address");

/** In the one form we store (see `parseConditionId`). */
export const ConditionId = parsed(z.string(), parseConditionId, "a condition id");

/** A uint256 as a decimal string. */
export const TokenId = z.string().regex(/^\d{1,78}$/, "expected a token id");

/** `0x` and 64 hex, lower case. */
export const TxHash = z
  .string()
  .toLowerCase()
  .regex(/^0x[0-9a-f]{64}$/, "expected a transaction hash");

/** Ten billion shares or dollars: no real amount comes near, and sums of such still fit the database's integers. */
export const MOST_MICRO = 10_000_000_000_000_000n;

/** A share or dollar amount of at least 0, in millionths. */
export const AmountMicro = parsed(
  NumberLike,
  (value) => {
    const micro = parseMicro(value);
    return micro !== null && micro >= 0n && micro <= MOST_MICRO ? micro : null;
  },
  "an amount of at least 0",
);

/** More than 0 after rounding to millionths, which is the chain's own resolution. */
export const PositiveMicro = AmountMicro.refine((micro) => micro > 0n, "expected an amount above 0");

/** A plain decimal string. */
export const Decimal = parsed(NumberLike, plainDecimal, "a decimal");

export const OptionalDecimal = optional(Decimal);

/** A plain decimal string from 0 to 1. */
export const Probability = Decimal.refine((value) => Number(value) >= 0 && Number(value) <= 1, "expected a price from 0 to 1");

export const OptionalProbability = optional(Probability);

/** 2020-01-01 UTC, before the provider began: a time that is not known may come as 0, and would be the beginning of all that is recorded. */
const EARLIEST_SECONDS = 1_577_836_800;
/** The year 2100: a time past it was written in milliseconds. */
const LATEST_SECONDS = 4_102_444_800;

/** A block or match time in epoch seconds. */
export const EpochSeconds = z
  .number()
  .int()
  .min(EARLIEST_SECONDS)
  .max(LATEST_SECONDS)
  .transform((seconds) => new Date(seconds * 1000));

/** Any of the forms the provider writes dates in. */
export const OptionalDate = optional(parsed(z.string(), parseProviderDate, "a date"));

/** A list of strings, which Gamma sends as a string holding JSON. Absent, null and "" are the empty list. */
export const StringList = parsed(
  z.union([z.string(), z.array(z.unknown())], "expected a list of strings").nullish(),
  parseStringList,
  "a list of strings",
);

const Strings = z.array(z.string());

function parseStringList(value: string | unknown[] | null | undefined): string[] | null {
  if (value === undefined || value === null || value === "") return [];
  try {
    const list: unknown = typeof value === "string" ? JSON.parse(value) : value;
    return list === null ? [] : (Strings.safeParse(list).data?.map(withoutNul) ?? null);
  } catch {
    return null;
  }
}

const UNKNOWN_OUTCOME = 999;

/** The index of an outcome; the provider says 999 while it does not know. */
export const OutcomeIndex = z
  .number()
  .int()
  .nullish()
  .transform((index) => (index === undefined || index === null || index < 0 || index >= UNKNOWN_OUTCOME ? null : index));
