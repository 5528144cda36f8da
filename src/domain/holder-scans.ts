/*
 * How a market's holders are followed. Source: the contract for what is served (a roster at most 60 s old while it is followed, at most 180 s
 * old when it is served); the rest is our own design.
 */

/** A roster older than this is read again, while somebody wants it. */
export const HOLDERS_RESCAN_SECONDS = 60;

/** A roster older than this is not served. */
export const HOLDERS_MAX_AGE_SECONDS = 180;

/** A request keeps a market followed for so long. */
export const HOLDERS_WANTED_SECONDS = 600;

/** While a market is read, a request is noted again after so long. */
export const HOLDERS_NOTE_SECONDS = 60;
