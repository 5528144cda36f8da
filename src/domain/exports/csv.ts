/** A spreadsheet runs a cell that begins with one of these as a formula. */
const FORMULA_START = /^[=+\-@\t\r\n]/;
const NUMBER = /^-?\d+(\.\d+)?$/;

/** Tells a spreadsheet that the file is UTF-8. */
export const CSV_START = "\uFEFF";

/**
 * One record of a CSV file (RFC 4180, CRLF). A text that a spreadsheet would run as a formula gets an apostrophe
 * before it; null is an empty field.
 */
export const csvRecord = (fields: readonly (string | number | null)[]): string =>
  `${fields.map(csvField).join(",")}\r\n`;

function csvField(value: string | number | null): string {
  if (value === null) return "";
  const text =
    typeof value === "string" && FORMULA_START.test(value) && !NUMBER.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** `2026-11-20 12:00:00`: UTC, in a form that spreadsheets read as a date. @param iso ISO text in UTC */
export const csvTime = (iso: string): string => iso.slice(0, 19).replace("T", " ");
