import { ERRORS } from "../../src/api/errors.ts";

/** `rate_limited` as `RateLimitedError`; `internal_error` as `InternalError`. */
const classOf = (name: string): string =>
  `${name
    .replace(/_error$/, "")
    .replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
    // A code and a reason with one name would be one class.
    .replace(/Error$/, "")}Error`;

/** One class for each code of the catalogue, and below it one for each published reason. */
export function renderErrorClasses(): string {
  const rows = Object.entries(ERRORS);
  const codes = [...new Set(rows.map(([, { code }]) => code))];
  const reasons = rows.filter(([, { published }]) => published);
  const byCode = codes.map((code) => [code, classOf(code), "ApiError"] as const);
  const byReason = reasons.map(([reason, { code }]) => [reason, classOf(reason), classOf(code)] as const);
  const declared = [...byCode, ...byReason].map(([name, own, parent]) => {
    const messages = rows.filter(([reason, row]) => reason === name || (row.code === name && reason === name));
    const comment = messages.map(([, { status, message }]) => `/** ${status}: ${message} */\n`).join("");
    return `${comment}export class ${own} extends ${parent} {\n  override name = "${own}";\n}`;
  });
  const tableOf = (name: string, entries: readonly (readonly [string, string, string])[]) =>
    `export const ${name} = {\n${entries.map(([key, own]) => `  ${key}: ${own},`).join("\n")}\n};`;
  return [
    "/* Written by npm run openapi from the error catalogue. */",
    'import { ApiError } from "../api-error.ts";',
    "",
    ...declared,
    "",
    tableOf("ERRORS_BY_CODE", byCode),
    tableOf("ERRORS_BY_REASON", byReason),
    "",
  ].join("\n");
}
