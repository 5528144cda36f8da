/**
 * Parses the fields of one CSV record (RFC 4180): separated by commas; a field in double quotes may contain
 * commas, line breaks and doubled quotes; spaces belong to the field.
 *
 * @returns null if the text is not exactly one record: a quote inside a plain field, text after a closing
 *   quote, an unclosed quote, or a line break between fields
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
