import { z } from "zod";
import { parseConditionId, parseWallet } from "../../../domain/ids.ts";
import { parseMicro } from "../../../domain/money.ts";
import { plainDecimal } from "./decimal.ts";
import { parseProviderDate } from "./provider-date.ts";

/** Builds a schema from a parser that returns null for invalid input. */
function parseWith<In extends z.ZodType, Out>(input: In, parse: (value: z.output<In>) => Out | null, expected: string) {
  return input.transform((value, context) => {
    const out = parse(value);
    if (out !== null) return out;
    context.addIssue({ code: "custom", message: `expected ${expected}` });
    return z.NEVER;
  });
}

/** Absent, null and "" become null: unavailable, never 0. */
export function optional<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => (value === "" ? null : value), schema.nullish()).transform((value) => value ?? null);
}

const NumberLike = z.union([z.number(), z.string()], "expected a number");

/** Postgres cannot store NUL characters, and one in a title would block its whole page. */
const withoutNul = (text: string) => text.replaceAll("\u0000", "");

/** Required, non-empty text. */
export const Text = z.string().transform(withoutNul).pipe(z.string().trim().min(1));

/** Text that the provider may leave out, set to null or send empty. */
export const OptionalText = optional(z.string().transform(withoutNul)).transform((text) => text?.trim() || null);

export const OptionalFlag = optional(z.boolean());

/** An id that some routes write as a number. */
export const Id = z.union([Text, z.number().int()], "expected an id").transform(String);

/** A wallet address in lower case. */
export const WalletAddress = parseWith(z.string(), parseWallet, "a wallet address");

/** In the form we store (see `parseConditionId`). */
export const ConditionId = parseWith(z.string(), parseConditionId, "a condition id");

/** A uint256 as a decimal string. */
export const TokenId = z.string().regex(/^\d{1,78}$/, "expected a token id");

/** `0x` and 64 hex, lower case. */
export const TxHash = z
  .string()
  .toLowerCase()
  .regex(/^0x[0-9a-f]{64}$/, "expected a transaction hash");

/**
 * Ten billion shares or dollars. No real amount comes near it, and sums of such amounts still fit the
 * database's integers.
 */
export const MAX_AMOUNT_MICRO = 10_000_000_000_000_000n;

/** A share or dollar amount of at least 0, in millionths. */
export const AmountMicro = parseWith(
  NumberLike,
  (value) => {
    const micro = parseMicro(value);
    return micro !== null && micro >= 0n && micro <= MAX_AMOUNT_MICRO ? micro : null;
  },
  "an amount of at least 0",
);

/** More than 0 after rounding to millionths, the resolution of the chain. */
export const PositiveMicro = AmountMicro.refine((micro) => micro > 0n, "expected an amount above 0");

/** A plain decimal string. */
export const Decimal = parseWith(NumberLike, plainDecimal, "a decimal");

export const OptionalDecimal = optional(Decimal);

/** A plain decimal string from 0 to 1. */
export const Probability = Decimal.refine(
  (value) => Number(value) >= 0 && Number(value) <= 1,
  "expected a price from 0 to 1",
);

export const OptionalProbability = optional(Probability);

/**
 * 2020-01-01 UTC, before the provider launched. An unknown time may arrive as 0 and would become the earliest
 * recorded time.
 */
const EARLIEST_SECONDS = 1_577_836_800;
/** The year 2100. A later time was sent in milliseconds. */
const LATEST_SECONDS = 4_102_444_800;

/** A block or match time in epoch seconds. */
export const EpochSeconds = z
  .number()
  .int()
  .min(EARLIEST_SECONDS)
  .max(LATEST_SECONDS)
  .transform((seconds) => new Date(seconds * 1000));

/** Any of the date formats that the provider uses. */
export const OptionalDate = optional(parseWith(z.string(), parseProviderDate, "a date"));

/** A list of strings, which Gamma sends as JSON in a string. Absent, null and "" are the empty list. */
export const StringList = parseWith(
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

/** The index of an outcome. The provider sends 999 while it is unknown. */
export const OutcomeIndex = z
  .number()
  .int()
  .nullish()
  .transform((index) =>
    index === undefined || index === null || index < 0 || index >= UNKNOWN_OUTCOME ? null : index,
  );
