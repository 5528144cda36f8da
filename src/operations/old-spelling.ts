/** When the older spellings of resources became deprecated, and until when they answer at least. */
export const OLD_SPELLING = { since: new Date("2026-11-01T00:00:00Z"), sunset: new Date("2028-11-01T00:00:00Z") };
