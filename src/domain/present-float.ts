import { presentDecimal } from "./money.ts";

/**
 * A computed figure as a JSON number truncated toward zero at `decimals` (at most 6); null stays null. Never
 * negative zero. The value is first rounded to twelve decimals, so that 0.29, which is slightly smaller in
 * binary, stays 0.29.
 */
export function presentFloat(value: number, decimals: number): number;
export function presentFloat(value: number | null, decimals: number): number | null;
export function presentFloat(value: number | null, decimals: number): number | null {
  return value === null ? null : presentDecimal(value.toFixed(12), decimals);
}
