/**
 * An amount on a logarithmic scale from 0 (nothing) to 1 (`full` or more): ln(1 + amount) / ln(1 + full).
 *
 * @param amount 0 or more; a negative amount counts as 0; null when unknown
 * @param full above 0
 */
export function logSignal(amount: number | null, full: number): number | null {
  return amount === null ? null : Math.min(1, Math.log1p(Math.max(0, amount)) / Math.log1p(full));
}
