/*
 * How often a market's holders are scanned. Source: the contract for what is served (a holder list at most 60
 * s old while the market is followed, at most 180 s old when it is served); the rest is our own design.
 */

/** A holder list older than this is scanned again while the market is followed. */
export const HOLDERS_RESCAN_SECONDS = 60;

/** A holder list older than this is not served. */
export const HOLDERS_MAX_AGE_SECONDS = 180;

/** A request keeps its market followed for this long. */
export const HOLDERS_FOLLOW_SECONDS = 600;

/** At most one request per market is recorded in this time. */
export const HOLDERS_REQUEST_SECONDS = 60;
