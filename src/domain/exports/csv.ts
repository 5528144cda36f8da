/** A spreadsheet runs a cell that begins with one of these as a formula; in East Asian locales also full width. */
const FORMULA_START = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
const NUMBER = /^-?\d+(\.\d+)?$/;

/** Tells a spreadsheet that the file is UTF-8. */
export const CSV_START = "\uFEFF";

/**
 * The text of a cell as a reader of the file gets it. A text that a spreadsheet would run as a formula gets an
 * apostrophe before it; null is empty.
 */
export function csvCell(value: string | number | null): string {
  if (value === null) return "";
  return typeof value === "string" && FORMULA_START.test(value) && !NUMBER.test(value) ? `'${value}` : String(value);
}

/** One record of a CSV file (RFC 4180, CRLF). */
export const csvRecord = (fields: readonly (string | number | null)[]): string =>
  `${fields.map((field) => quote(csvCell(field))).join(",")}\r\n`;

const quote = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** `2026-11-20 12:00:00`: UTC, in a form that spreadsheets read as a date. @param iso ISO text in UTC */
export const csvTime = (iso: string): string => iso.slice(0, 19).replace("T", " ");
