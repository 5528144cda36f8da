/*
 * All constants of the public record. Changing one changes published figures and requires a new RECORD_METHOD, which
 * also draws other random purchases. Source: our own design, version 1.
 */

export const RECORD_METHOD = "record-1";

/** A random purchase has a price of the same band: bands of five points from 0. In millionths of a dollar. */
export const PRICE_BAND_PPM = 50_000;

/** Rates and intervals need decided claims of this many events. `studentQuantile975` needs as many. */
export const MIN_EVENTS = 10;

/** The letters whose purchases are claims. */
export const CLAIMING_GRADES = ["S", "A"] as const;
