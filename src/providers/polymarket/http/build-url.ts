export type QueryValue = string | number | boolean | null | readonly string[];

/**
 * Builds a URL with query parameters. Null values are left out. A list is repeated, once per value, because
 * the provider ignores `name[]=`.
 */
export function buildUrl(base: string, path: string, query: Readonly<Record<string, QueryValue>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === null) continue;
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one));
  }
  return `${base}${path}?${search.toString()}`;
}
