/** `part` of `whole` as a fraction with four decimals, truncated. `whole` is at least 1. */
export const presentShare = (part: number, whole: number): number => basisPoints(part, whole) / 10_000;

/** `part` of `whole` in percent with two decimals, truncated. `whole` is at least 1. */
export const presentPercent = (part: number, whole: number): number => basisPoints(part, whole) / 100;

const basisPoints = (part: number, whole: number): number => Math.trunc((part * 10_000) / whole);
