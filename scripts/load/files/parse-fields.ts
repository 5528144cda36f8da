/*
 * Fields of an archive as DuckDB expressions. Each has a path for the usual spellings, in 64-bit arithmetic, and an exact
 * one for all others: decimals of 128 bits take about 50 times as long. Both give the same value.
 */

/** Prices are integers of 1e-10 dollars, where they have no more decimals. */
export const PRICE_DECIMALS = 10;
const PRICE_UNITS = `1${"0".repeat(PRICE_DECIMALS)}`;

/** Millionths of a decimal text, rounded half away from zero like `parseMicro`. */
export const toMicro = (text: string): string =>
  // A double of at most 14 digits is exact to the millionth.
  `case when regexp_full_match(${text}, '\\d{1,8}(\\.\\d{1,6})?') then round(try_cast(${text} as double) * 1000000)::bigint
    else try_cast(round(try_cast(${text} as decimal(38, 24)), 6)::decimal(30, 6) * 1000000::decimal(7, 0) as bigint) end`;

/** A price of at most ten decimals in units; null for any other text. */
export const toPriceUnits = (text: string): string =>
  `case when regexp_full_match(${text}, '[01](\\.\\d{1,${PRICE_DECIMALS}})?')
    then round(try_cast(${text} as double) * ${PRICE_UNITS})::bigint end`;

/** First with whole digits: DuckDB reads `75e-2` as 75, then applies the exponent. Exact to 20 decimals. */
export const toPrice = (text: string): string => `try_cast(try_cast(${text} as decimal(38, 20)) as decimal(21, 20))`;

/** Epoch seconds, or a date and time that counts as UTC without an offset. Null for any other text. */
export const toMs = (text: string): string =>
  `case when regexp_full_match(${text}, '\\d{1,12}(\\.0*)?') then try_cast(try_cast(${text} as double) as bigint) * 1000
    else epoch_ms(try_cast(${text} as timestamp)) end`;

/** With up to 90 million shares no intermediate value exceeds 64 bits. */
const MAX_SHARES_IN_64_BITS = "90000000000000";

/**
 * Dollars in millionths, rounded half away from zero: shares_micro times the price, which is price_units or else
 * exact_price. Splits the shares at 100,000 so that each product fits.
 */
export const USD_MICRO = `case
  when price_units is not null and shares_micro between 0 and ${MAX_SHARES_IN_64_BITS}
  then (shares_micro // 100000 * price_units) // 100000
    + ((shares_micro // 100000 * price_units) % 100000 * 100000 + shares_micro % 100000 * price_units + ${PRICE_UNITS} // 2)
      // ${PRICE_UNITS}
  else try_cast(round(shares_micro::decimal(17, 0)
    * coalesce(exact_price, price_units::decimal(11, 0) * 0.0000000001)::decimal(21, 20)) as bigint) end`;

/** The price as text without zeros at its end, where it is not price_units. */
export const PRICE_TEXT = `rtrim(rtrim(exact_price::varchar, '0'), '.')`;
