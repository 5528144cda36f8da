import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { gunzipSync } from "node:zlib";

/** One file of a recording: its JSON values in file order, each with its source text. */
export interface RecordedFile {
  /** Relative to the recording's directory, with forward slashes. */
  readonly name: string;
  readonly rows: readonly RecordedRow[];
}

export interface RecordedRow {
  readonly value: unknown;
  readonly text: string;
}

/**
 * All `.json` and `.ndjson` files below a directory, gzipped or not, in name order. An array gives one row
 * per element, any other JSON value one row.
 *
 * @throws when the directory cannot be read or a file is not JSON; the error names the file
 */
export async function readRecordedFiles(dir: string): Promise<readonly RecordedFile[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && /\.(json|ndjson)(\.gz)?$/.test(entry.name))
    .map((entry) => path.relative(dir, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, "/"))
    .sort();
  return Promise.all(
    names.map(async (name) => ({ name, rows: parseRows(name, await readText(path.join(dir, name))) })),
  );
}

async function readText(file: string): Promise<string> {
  const bytes = await readFile(file);
  return (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
}

function parseRows(name: string, text: string): readonly RecordedRow[] {
  try {
    if (/\.ndjson(\.gz)?$/.test(name)) {
      const lines = text.split("\n").filter((line) => line.trim() !== "");
      return lines.map((line) => ({ value: JSON.parse(line), text: line }));
    }
    const value: unknown = JSON.parse(text);
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    return values.map((one) => ({ value: one, text: JSON.stringify(one) }));
  } catch (error) {
    throw new Error(`${name} is not readable as JSON`, { cause: error });
  }
}
