/**
 * Converts a number or numeric string to a plain decimal without exponent, with exactly the sent digits:
 * `1e-7` is `0.0000001`.
 *
 * @returns null for anything that is not a decimal
 */
export function plainDecimal(value: number | string): string | null {
  const match = /^([+-]?)(\d+)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i.exec(String(value).trim());
  if (match === null) return null;
  const [, sign, whole = "", fraction = "", exponent = "0"] = match;
  const shift = Number(exponent);
  const digits = whole + fraction + "0".repeat(Math.max(0, shift - fraction.length));
  const point = whole.length + shift;
  const padded = point > 0 ? digits : "0".repeat(1 - point) + digits;
  const at = Math.max(point, 1);
  const integer = padded.slice(0, at).replace(/^0+(?=\d)/, "");
  const rest = padded.slice(at).replace(/0+$/, "");
  const plain = rest === "" ? integer : `${integer}.${rest}`;
  return sign === "-" && plain !== "0" ? `-${plain}` : plain;
}

/** 1 minus a plain decimal from 0 to 1, exact: the other outcome's price in a market of two. */
export function complement(probability: string): string {
  const decimals = probability.split(".")[1]?.length ?? 0;
  const one = 10n ** BigInt(decimals);
  const digits = String(one - BigInt(probability.replace(".", ""))).padStart(decimals + 1, "0");
  // The string contains only digits and a point, so it always parses.
  return (
    plainDecimal(`${digits.slice(0, digits.length - decimals)}.${digits.slice(digits.length - decimals)}`) ??
    probability
  );
}

/** Rounds a plain decimal of 0 or more to this many decimals, half up. */
export function roundDecimal(decimal: string, decimals: number): string {
  const [whole = "", fraction = ""] = decimal.split(".");
  if (fraction.length <= decimals) return decimal;
  const up = Number(fraction[decimals]) >= 5 ? 1n : 0n;
  const digits = String(BigInt(whole + fraction.slice(0, decimals)) + up).padStart(decimals + 1, "0");
  // The string contains only digits and a point, so it always parses.
  return (
    plainDecimal(`${digits.slice(0, digits.length - decimals)}.${digits.slice(digits.length - decimals)}`) ?? decimal
  );
}

/** Whether a plain decimal is strictly between 0 and 1, and so a price at which trades can happen. */
export function isTradeable(price: string): boolean {
  return Number(price) > 0 && Number(price) < 1;
}
