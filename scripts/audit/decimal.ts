/*
 * Exact decimals of the audit: prices are bigints of 1e-18, dollars and shares of 1e-6. The product's
 * arithmetic is not used here, so that the audit stays independent.
 */
const PRICE_DIGITS = 18;
/** One dollar a share. */
export const ONE = 10n ** 18n;
const PER_MILLIONTH = 10n ** 12n;

/** A plain decimal text (`0.7249991687`) as a price of 1e-18. @throws RangeError for any other text */
export function parsePrice(text: string): bigint {
  const match = /^(-?)(\d+)(?:\.(\d*))?$/.exec(text);
  if (match === null) throw new RangeError(`${text} is no plain decimal`);
  const [, sign, whole = "0", fraction = ""] = match;
  const digits = BigInt(whole + fraction.slice(0, PRICE_DIGITS).padEnd(PRICE_DIGITS, "0"));
  return sign === "-" ? -digits : digits;
}

/** Rounded half away from zero. @param denominator above 0 */
export function divideHalfAway(numerator: bigint, denominator: bigint): bigint {
  const twice = 2n * (numerator < 0n ? -numerator : numerator) + denominator;
  const magnitude = twice / (2n * denominator);
  return numerator < 0n ? -magnitude : magnitude;
}

/**
 * The value of shares (1e-6) at a price, in micro-dollars. The price is rounded to the millionth, the
 * resolution of dollars; the product is rounded once.
 */
export function valueAt(sharesMicro: bigint, price: bigint): bigint {
  return divideHalfAway(sharesMicro * divideHalfAway(price, PER_MILLIONTH), 1_000_000n);
}

/**
 * The price of a trade. Its dollars are cut to the millionth, so an order-book price (four decimals at most)
 * is recovered by trying the two nearest ticks. Any other price has six decimals, rounded half away from
 * zero.
 */
export function tradedPrice(usdMicro: bigint, sharesMicro: bigint): bigint {
  const below = (usdMicro * 10_000n) / sharesMicro;
  const fits = [below, below + 1n].filter((tick) => {
    const off = tick * sharesMicro - usdMicro * 10_000n;
    return off <= 10_000n && off >= -10_000n;
  });
  const nearest = fits.toSorted((a, b) => Number(distance(a) - distance(b)))[0];
  return nearest === undefined
    ? divideHalfAway(usdMicro * 1_000_000n, sharesMicro) * PER_MILLIONTH
    : nearest * (ONE / 10_000n);

  function distance(tick: bigint): bigint {
    const off = tick * sharesMicro - usdMicro * 10_000n;
    return off < 0n ? -off : off;
  }
}

/** Dollars with two decimals, cut toward zero, as the contract shows money. */
export const cents = (micro: bigint): number => cut(micro, 10_000n, 100);

/** Shares or dollars with six decimals. */
export const sixDecimals = (micro: bigint): number => Number(micro) / 1e6;

/** Shares with four decimals, cut toward zero. */
export const fourDecimals = (micro: bigint): number => cut(micro, 100n, 10_000);

/** A price with four decimals, cut toward zero. */
export const shownPrice = (price: bigint): number => cut(price, 10n ** 14n, 10_000);

/** `-12.340000`, for fields that show every digit. */
export function exactText(micro: bigint): string {
  const magnitude = String(micro < 0n ? -micro : micro).padStart(7, "0");
  return `${micro < 0n ? "-" : ""}${magnitude.slice(0, -6)}.${magnitude.slice(-6)}`;
}

/** A part of a whole in percent with two decimals, cut. */
export const percent = (part: number, whole: number): number => Math.floor((part * 10_000) / whole) / 100;

/** A part of a whole as a fraction with four decimals, cut. */
export const fraction = (part: number, whole: number): number => Math.floor((part * 10_000) / whole) / 10_000;

/** Adding 0 turns a negative zero into zero. */
const cut = (value: bigint, step: bigint, scale: number): number => Number(value / step) / scale + 0;

/**
 * Compares a floor in dollars with dollars rounded to the cent, half up: traders pay round sums, and the
 * recorded millionths are a quotient of them.
 */
export const reachesFloor = (usdMicro: bigint, floorUsd: number): boolean =>
  (usdMicro + 5_000n) / 10_000n >= BigInt(Math.round(floorUsd * 100));
