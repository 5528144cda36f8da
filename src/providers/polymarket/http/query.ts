export type QueryValue = string | number | boolean | null | readonly string[];

/** An address with parameters. Null ones are left out; a list is repeated, once for each value (the provider ignores `name[]=`). */
export function addressOf(base: string, path: string, query: Readonly<Record<string, QueryValue>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === null) continue;
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one));
  }
  return `${base}${path}?${search.toString()}`;
}
