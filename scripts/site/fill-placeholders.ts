/**
 * A text with the value of each `{{name}}`.
 *
 * @param used collects the names that were filled
 * @throws Error for a name without a value
 */
export function fillPlaceholders(text: string, values: Readonly<Record<string, string>>, used: Set<string>): string {
  return text.replaceAll(/\{\{([\w:]+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`no value is known for {{${name}}}`);
    used.add(name);
    return value;
  });
}
