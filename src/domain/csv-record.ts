/**
 * The fields of one CSV record as RFC 4180 has them: commas between, a field in double quotes may hold commas, line breaks and doubled quotes,
 * and spaces belong to the field.
 *
 * @returns null for what is no one record: a quote inside a plain field, text after a closing quote, a quote left open, a line break between fields
 */
export function parseCsvRecord(text: string): string[] | null {
  const fields: string[] = [];
  let rest = text;
  for (;;) {
    const match = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|$)/.exec(rest);
    if (match === null) return null;
    const [whole, quoted, plain = "", separator] = match;
    fields.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (separator === "") return fields;
    rest = rest.slice(whole.length);
  }
}
