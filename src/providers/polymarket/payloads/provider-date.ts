/**
 * Parses the provider's date formats: ISO 8601 (`2026-09-09T21:19:19Z`, any number of fraction digits, or
 * only the day), the database format `2026-04-05 19:37:33+00`, or epoch seconds as a string.
 *
 * @returns null for anything else
 */
export function parseProviderDate(text: string): Date | null {
  const trimmed = text.trim();
  if (/^\d{9,10}$/.test(trimmed)) return new Date(Number(trimmed) * 1000);
  const match = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}:\d{2})(\.\d+)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/.exec(trimmed);
  if (match === null) return null;
  const [, day, time = "00:00:00", fraction = "", zone = "Z"] = match;
  const date = new Date(`${day}T${time}${fraction.slice(0, 4)}${zone === "Z" ? "Z" : fullOffset(zone)}`);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Converts `+00` and `+0000` to `+00:00`. */
function fullOffset(zone: string): string {
  const digits = zone.slice(1).replace(":", "").padEnd(4, "0");
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}
