/** The hidden fields of a page's forms with this name. @throws when there is none */
export function hiddenFields(page: string, name: string): Record<string, string> {
  const value = new RegExp(`<input type="hidden" name="${name}" value="([^"]*)" ?/?>`).exec(page)?.[1];
  if (value === undefined) throw new Error(`the page has no field ${name}: ${page.slice(0, 2_000)}`);
  return { [name]: value };
}
