import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, parquetSchema } from "hyparquet";

/** A cell as its file has it: text in CSV; numbers, whole numbers, dates and lists too in Parquet. */
export type Cell = unknown;
export type TableRow = Readonly<Record<string, Cell>>;

/** A table in one file. Rows are read in pieces, so that a file of any size fits. */
export interface Table {
  readonly name: string;
  readonly columns: ReadonlySet<string>;
  /** @param wanted the columns that are read */
  rows(wanted: readonly string[]): AsyncIterable<TableRow>;
}

const TABLE_FILE = /\.(parquet|csv|csv\.gz)$/;

/** The Parquet and CSV files below a directory, in the order of their names. */
export async function listTables(dir: string): Promise<readonly Table[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && TABLE_FILE.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
  const tables: Table[] = [];
  for (const file of files) {
    const name = path.relative(dir, file);
    tables.push(file.endsWith(".parquet") ? await openParquet(name, file) : await openCsv(name, file));
  }
  return tables;
}

async function openParquet(name: string, file: string): Promise<Table> {
  const metadata = await parquetMetadataAsync(await asyncBufferFromFile(file));
  return {
    name,
    columns: new Set(parquetSchema(metadata).children.map(({ element }) => element.name)),
    async *rows(wanted) {
      const buffer = await asyncBufferFromFile(file);
      let rowStart = 0;
      for (const group of metadata.row_groups) {
        const rowEnd = rowStart + Number(group.num_rows);
        yield* await parquetReadObjects({
          ...{ file: buffer, metadata, rowStart, rowEnd, columns: [...wanted] },
          // The library's own conversion to a Date loses microseconds.
          parsers: { timestampFromMicroseconds: (value: bigint) => Number(value) / 1e6 },
        });
        rowStart = rowEnd;
      }
    },
  };
}

async function openCsv(name: string, file: string): Promise<Table> {
  let header: readonly string[] = [];
  for await (const cells of readCsv(file)) {
    header = cells;
    break;
  }
  return {
    name,
    columns: new Set(header),
    async *rows(wanted) {
      const at = wanted.map((column) => header.indexOf(column));
      let isHeader = true;
      for await (const cells of readCsv(file)) {
        if (!isHeader) yield Object.fromEntries(wanted.map((column, index) => [column, cells[at[index] ?? -1]]));
        isHeader = false;
      }
    },
  };
}

/** Records of RFC 4180. */
async function* readCsv(file: string): AsyncIterable<readonly string[]> {
  const bytes = createReadStream(file);
  const lines = createInterface({ input: file.endsWith(".gz") ? bytes.pipe(createGunzip()) : bytes });
  let open = "";
  try {
    for await (const line of lines) {
      const text = open === "" ? line : `${open}\n${line}`;
      // A line break inside quotes belongs to the record.
      const isOpen = (text.split('"').length - 1) % 2 === 1;
      open = isOpen ? text : "";
      if (!isOpen && text !== "") yield splitRecord(text);
    }
  } finally {
    lines.close();
    bytes.destroy();
  }
}

function splitRecord(text: string): readonly string[] {
  if (!text.includes('"')) return text.split(",");
  return [...text.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? "",
  );
}
