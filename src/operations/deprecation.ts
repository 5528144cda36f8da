/**
 * Deprecation and sunset dates of the older resource names in paths. They respond at least until the sunset.
 */
export const DEPRECATION = { since: new Date("2026-11-01T00:00:00Z"), sunset: new Date("2028-11-01T00:00:00Z") };
