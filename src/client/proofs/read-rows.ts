import { objectOf, parseJson } from "../read-error.ts";
import { check } from "./open-manifest.ts";

type Row = Readonly<Record<string, unknown>>;

/**
 * The rows of a file's content, as docs/files.md defines its leaves.
 *
 * @throws ProofError for content of another form
 */
export function readRows(content: Uint8Array, format: string, hasEnvelope: boolean): Row[] {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
  if (format === "csv") return readCsv(text.replace(/^\uFEFF/, ""));
  check(text === "" || text.endsWith("\n"), "the file ends within a row");
  const lines = text.split("\n").slice(0, -1);
  if (format === "ndjson") {
    check(!hasEnvelope || lines.length > 0, "the file has no envelope");
    return lines.slice(hasEnvelope ? 1 : 0).map(parseRow);
  }
  check(format === "json", `rows of ${format} cannot be read here`);
  check(lines[0]?.endsWith(',"trades":[') === true, "the file does not begin with its envelope");
  check(lines.at(-1) === "]}", "the file does not end with its list of trades");
  return lines.slice(1, -1).map((line) => parseRow(line.replace(/,$/, "")));
}

function parseRow(line: string): Row {
  const row = parseJson(line);
  check(typeof row === "object" && row !== null, "a row is not JSON");
  return objectOf(row);
}

/** RFC 4180 with CRLF. The values are the texts of the cells. */
function readCsv(text: string): Row[] {
  const records: string[][] = [[]];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  for (let end = ""; field.lastIndex < text.length;) {
    const match = field.exec(text);
    check(match !== null, "a CSV record is malformed");
    if (end === "\r\n") records.push([]);
    records.at(-1)?.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? "");
    end = match[3] ?? "";
    if (field.lastIndex >= text.length) check(end === "\r\n", "the file ends within a row");
  }
  const [header = [], ...rows] = records;
  check(header.length > 0, "the file has no header");
  return rows.map((fields) => {
    check(fields.length === header.length, `a CSV record has ${fields.length} of ${header.length} fields`);
    return Object.fromEntries(header.map((name, n) => [name, fields[n]]));
  });
}
