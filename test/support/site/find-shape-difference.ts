/**
 * Compares a shown response with a real one: every shown member is there, with a value of the same type. The real one may have more
 * members and other values.
 *
 * @returns the first difference, null when there is none
 */
export function findShapeDifference(shown: unknown, real: unknown, path = "the response"): string | null {
  if (typeOf(shown) !== typeOf(real)) return `${path} is ${typeOf(real)}, shown as ${typeOf(shown)}`;
  if (Array.isArray(shown) && Array.isArray(real)) {
    if (shown.length > 0 && real.length === 0) return `${path} is empty`;
    return shown.length === 0 ? null : findShapeDifference(shown[0], real[0], `${path}[0]`);
  }
  if (typeOf(shown) !== "object") return null;
  const [expected, actual] = [shown as Record<string, unknown>, real as Record<string, unknown>];
  for (const [name, value] of Object.entries(expected)) {
    if (!Object.hasOwn(actual, name)) return `${path} has no ${name}`;
    const difference = findShapeDifference(value, actual[name], `${path}.${name}`);
    if (difference !== null) return difference;
  }
  return null;
}

const typeOf = (value: unknown): string => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);
