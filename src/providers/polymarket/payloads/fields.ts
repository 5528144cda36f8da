import { z } from "zod";
import { parseConditionId, parseWallet } from "../../../domain/ids.ts";
import { parseMicro } from "../../../domain/money.ts";
import { plainDecimal } from "../mapping/decimal.ts";
import { parseProviderDate } from "../mapping/provider-date.ts";

/** A schema from a function that answers null for what does not fit. */
function parsed<In extends z.ZodType, Out>(input: In, parse: (value: z.output<In>) => Out | null, expected: string) {
  return input.transform((value, context) => {
    const out = parse(value);
    if (out !== null) return out;
    context.addIssue({ code: "custom", message: `expected ${expected}` });
    return z.NEVER;
  });
}

const NumberLike = z.union([z.number(), z.string()]);

/** Text the provider may leave out, set to null or send empty: all three are null. */
export const OptionalText = z
  .string()
  .nullish()
  .transform((text) => (text === undefined || text === null || text.trim() === "" ? null : text));

/** An id that some routes write as a number. */
export const Id = z.union([z.string().min(1), z.number().int()]).transform(String);

export const OptionalId = z
  .union([z.string(), z.number().int()])
  .nullish()
  .transform((id) => (id === undefined || id === null || id === "" ? null : String(id)));

/** Lower case. */
export const Wallet = parsed(z.string(), parseWallet, "a wallet address");

/** In the one form we store (see `parseConditionId`). */
export const ConditionId = parsed(z.string(), parseConditionId, "a condition id");

/** Null for "" and null: the record belongs to no market, or not yet. */
export const OptionalConditionId = z.union([z.literal("").transform(() => null), ConditionId]).nullish().transform((id) => id ?? null);

const TOKEN_ID = /^\d{1,78}$/;

/** A uint256 as a decimal string. */
export const TokenId = z.string().regex(TOKEN_ID, "expected a token id");

export const OptionalTokenId = z.union([z.literal("").transform(() => null), TokenId]).nullish().transform((id) => id ?? null);

/** `0x` and 64 hex, lower case. */
export const TxHash = z
  .string()
  .toLowerCase()
  .regex(/^0x[0-9a-f]{64}$/, "expected a transaction hash");

/** A share or dollar amount of at least 0, in millionths. */
export const AmountMicro = parsed(NumberLike, (value) => notNegative(parseMicro(value)), "an amount of at least 0");

/** More than 0 after rounding to millionths, which is the chain's own resolution. */
export const PositiveMicro = AmountMicro.refine((micro) => micro > 0n, "expected an amount above 0");

/** A plain decimal string. */
export const Decimal = parsed(NumberLike, plainDecimal, "a decimal");

/** Absent, null and "" are null: unavailable, never 0. */
export const OptionalDecimal = z.union([z.literal("").transform(() => null), Decimal]).nullish().transform((value) => value ?? null);

/** A plain decimal string from 0 to 1. */
export const Probability = Decimal.refine((value) => Number(value) >= 0 && Number(value) <= 1, "expected a price from 0 to 1");

export const OptionalProbability = z
  .union([z.literal("").transform(() => null), Probability])
  .nullish()
  .transform((value) => value ?? null);

/** The year 2100: a time past it was written in milliseconds. */
const LATEST_SECONDS = 4_102_444_800;

/** A block or match time in epoch seconds. */
export const EpochSeconds = z
  .number()
  .int()
  .positive()
  .max(LATEST_SECONDS)
  .transform((seconds) => new Date(seconds * 1000));

/** Any of the forms the provider writes dates in; absent, null and "" are null. */
export const OptionalDate = z
  .union([z.literal("").transform(() => null), parsed(z.string(), parseProviderDate, "a date")])
  .nullish()
  .transform((date) => date ?? null);

/** A list of strings, which Gamma sends as a string holding JSON. Absent, null and "" are the empty list. */
export const StringList = parsed(z.union([z.string(), z.array(z.unknown())]).nullish(), parseStringList, "a list of strings");

const Strings = z.array(z.string());

function parseStringList(value: string | unknown[] | null | undefined): string[] | null {
  if (value === undefined || value === null || value === "") return [];
  try {
    const list: unknown = typeof value === "string" ? JSON.parse(value) : value;
    return list === null ? [] : (Strings.safeParse(list).data ?? null);
  } catch {
    return null;
  }
}

/** The index of an outcome; the provider says 999 while it does not know. */
export const OutcomeIndex = z
  .number()
  .int()
  .nullish()
  .transform((index) => (index === undefined || index === null || index < 0 || index >= UNKNOWN_OUTCOME ? null : index));

const UNKNOWN_OUTCOME = 999;

function notNegative(micro: bigint | null): bigint | null {
  return micro !== null && micro >= 0n ? micro : null;
}
