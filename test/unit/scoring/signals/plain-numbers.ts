/** Every number inside a value, at any depth. */
function numbersIn(value: unknown): number[] {
  if (typeof value === "number") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(numbersIn);
}

/** Numbers inside a value that are NaN, infinite or negative zero. */
export const oddNumbersIn = (value: unknown): number[] =>
  numbersIn(value).filter((number) => !Number.isFinite(number) || Object.is(number, -0));
