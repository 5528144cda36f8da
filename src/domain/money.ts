import { divideRounded } from "../scoring/divide-rounded.ts";

/**
 * Exact money and share arithmetic in millionths, the resolution of the provider's chain. A value is a bigint
 * of micro-units until a presenter converts it to a JSON number, truncated toward zero at the contract's
 * decimals.
 */
const MICRO = 1_000_000n;
const MICRO_DECIMALS = 6;

/**
 * Parses a decimal to micro-units, rounded half away from zero beyond six decimals.
 *
 * @param value a finite JSON number (its shortest decimal form is used, which is what the sender wrote) or a
 *   plain decimal string
 * @returns null when the text is not a decimal
 */
export function parseMicro(value: number | string): bigint | null {
  const decimal = parseDecimal(value);
  return decimal === null ? null : scaleTo(decimal, MICRO_DECIMALS);
}

/**
 * Converts a finite number of dollars to cents, half a cent away from zero. It rounds once, directly from the
 * decimals: rounded to millionths first, 0.0049999999 would become a cent.
 */
export function parseCents(usd: number): bigint {
  const decimal = parseDecimal(usd);
  if (decimal === null) throw new RangeError(`not a finite dollar amount: ${usd}`);
  return scaleTo(decimal, 2);
}

/**
 * Multiplies a micro amount by a decimal of any precision, in micro-units, rounded half away from zero:
 * shares times price is dollars. The provider's prices have up to ten decimals, and all of them count.
 *
 * @returns null when the factor is not a decimal
 */
export function multiplyMicro(micro: bigint, factor: number | string): bigint | null {
  const decimal = parseDecimal(factor);
  return decimal === null ? null : scaleTo({ digits: micro * decimal.digits, scale: decimal.scale }, 0);
}

/** digits / 10^scale. */
interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

function parseDecimal(value: number | string): Decimal | null {
  const match = /^(-?)(\d+)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i.exec(String(value).trim());
  if (match === null) return null;
  const [, sign, whole = "", fraction = "", exponent = "0"] = match;
  const digits = BigInt(whole + fraction);
  return { digits: sign === "-" ? -digits : digits, scale: fraction.length - Number(exponent) };
}

function scaleTo({ digits, scale }: Decimal, decimals: number): bigint {
  return scale <= decimals
    ? digits * 10n ** BigInt(decimals - scale)
    : divideRounded(digits, 10n ** BigInt(scale - decimals));
}

/** A plain decimal string with six decimals, for exact fields: `-12.340000`. */
export function formatMicro(micro: bigint): string {
  const magnitude = micro < 0n ? -micro : micro;
  return `${micro < 0n ? "-" : ""}${magnitude / MICRO}.${String(magnitude % MICRO).padStart(6, "0")}`;
}

/** Formats dollars for texts, truncated toward zero to the cent: `$3,956.87`, `-$0.50`. */
export function formatUsd(micro: bigint): string {
  const cents = (micro < 0n ? -micro : micro) / 10_000n;
  const dollars = String(cents / 100n).replace(/\B(?=(\d{3})+$)/g, ",");
  return `${micro < 0n && cents > 0n ? "-" : ""}$${dollars}.${String(cents % 100n).padStart(2, "0")}`;
}

/** A JSON number truncated toward zero at `decimals` (at most 6). Never negative zero. */
export function presentMicro(micro: bigint, decimals: number): number {
  const step = 10n ** BigInt(6 - decimals);
  return Number(micro / step) / 10 ** decimals;
}

/** Dollars with two decimals, the contract's form of money. */
export const presentUsd = (micro: bigint): number => presentMicro(micro, 2);

/**
 * A decimal string from the database (`numeric`) as a JSON number truncated toward zero; null stays null.
 *
 * @throws RangeError for a text that is not a decimal, which the column does not allow
 */
export function presentDecimal(text: string, decimals: number): number;
export function presentDecimal(text: string | null, decimals: number): number | null;
export function presentDecimal(text: string | null, decimals: number): number | null {
  if (text === null) return null;
  const micro = parseMicro(truncateDecimal(text, decimals));
  if (micro === null) throw new RangeError(`not a decimal: ${text}`);
  return presentMicro(micro, decimals);
}

function truncateDecimal(text: string, decimals: number): string {
  const point = text.indexOf(".");
  return point === -1 ? text : text.slice(0, point + 1 + decimals);
}
