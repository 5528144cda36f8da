import { z } from "zod";
import { parseConditionId, parseWallet } from "../../../domain/ids.ts";
import { parseMicro } from "../../../domain/money.ts";

/*
 * The provider's value forms, each read into ours. Records are loose: fields we do not use pass unread.
 */

const failing = (context: z.core.$RefinementCtx<unknown>, message: string): never => {
  context.addIssue({ code: "custom", message });
  return z.NEVER;
};

/** A wallet in any case. */
export const wallet = z.string().transform((text, context): string => parseWallet(text) ?? failing(context, "is no wallet address"));

/** A condition id of either protocol, padded or not. */
export const conditionId = z.string().transform((text, context): string => parseConditionId(text) ?? failing(context, "is no condition id"));

export const txHash = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/)
  .toLowerCase();

/** A uint256 as decimal text; a JSON number would have lost digits. */
export const tokenId = z.string().regex(/^[1-9][0-9]{0,77}$/);

/** Text whose empty form means absent. */
export const text = z
  .string()
  .nullish()
  .transform((value) => (value === undefined || value === null || value.trim() === "" ? null : value));

/** A positive amount as micro-units; sizes below half a millionth are none. */
export const positiveMicro = z.number().transform((value, context): bigint => {
  const micro = parseMicro(value);
  return micro !== null && micro > 0n ? micro : failing(context, "is no positive amount");
});

export const micro = z.number().transform((value, context): bigint => parseMicro(value) ?? failing(context, "is no amount"));

/** A plain decimal from a number or numeric text, exponents written out; null when absent or no number. */
export const decimal = z
  .union([z.number(), z.string()])
  .nullish()
  .transform((value): string | null => (value === null || value === undefined || value === "" ? null : plainDecimal(value)));

/** A price from 0 to 1 as a plain decimal. */
export const price = z.number().min(0).max(1).transform((value, context): string => plainDecimal(value) ?? failing(context, "is no price"));

/** A price where the provider may give none or nonsense. */
export const loosePrice = decimal.transform((value) => (value !== null && Number(value) >= 0 && Number(value) <= 1 ? value : null));

export const epochSeconds = z
  .int()
  .positive()
  .transform((seconds) => new Date(seconds * 1000));

/** ISO 8601, or the form `2026-04-05 19:37:33+00`. */
export const instant = z
  .string()
  .nullish()
  .transform((value): Date | null => {
    if (value === null || value === undefined || value === "") return null;
    const iso = value.replace(/^(\d{4}-\d{2}-\d{2}) /, "$1T").replace(/([+-]\d{2})$/, "$1:00");
    const date = new Date(iso);
    return Number.isNaN(date.getTime()) ? null : date;
  });

/** A list that comes as text holding a JSON array. */
export const jsonList = z
  .string()
  .nullish()
  .transform((value, context): string[] => {
    if (value === null || value === undefined || value === "") return [];
    try {
      const parsed = z.array(z.string()).nullable().safeParse(JSON.parse(value));
      if (parsed.success) return parsed.data ?? [];
    } catch {
      // Reported below with the other misshapen lists.
    }
    return failing(context, "holds no JSON list of texts");
  });

/** 999 is the provider's unknown. */
export const outcomeIndex = z
  .int()
  .nullish()
  .transform((value) => (value === null || value === undefined || value < 0 || value >= 999 ? null : value));

/** `1e-7` as `0.0000001`; null for text that is no decimal. */
export function plainDecimal(value: number | string): string | null {
  const match = /^(-?)(\d+)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i.exec(String(value).trim());
  if (match === null) return null;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  const padded = point <= 0 ? "0".repeat(1 - point) + digits : digits.padEnd(point, "0");
  const at = Math.max(point, 1);
  const integer = padded.slice(0, at).replace(/^0+(?=\d)/, "");
  const rest = padded.slice(at);
  return `${sign}${integer}${rest === "" ? "" : `.${rest}`}`;
}
