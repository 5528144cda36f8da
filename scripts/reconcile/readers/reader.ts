import type { z } from "zod";
import { describeIssues } from "../../../src/providers/polymarket/payloads/fit-records.ts";
import type { RecordedFile } from "../../provider/replay/read-directory.ts";
import type { Facts } from "../facts.ts";

export interface ReadRow<Row> {
  readonly row: Row;
  /** The text the row was read from. */
  readonly line: string;
}

export interface FileContext {
  readonly name: string;
  /** The one wallet the files of this folder name; null when there is none or more than one. */
  readonly folderWallet: string | null;
}

/** Knows one shape of file. */
export interface Reader {
  readonly shape: string;
  /** Whether this is the file's shape: told from the names of its fields, so that a row with a bad value is still of the shape. */
  recognises(file: RecordedFile): boolean;
  /** Adds what the file tells; the answer has one reason a row that did not fit. */
  read(facts: Facts, file: RecordedFile, context: FileContext): string[];
}

export function defineReader<Schema extends z.ZodType>(reader: {
  readonly shape: string;
  /** Field names that every row of the shape has. */
  readonly has: readonly string[];
  /** Field names that tell another shape. */
  readonly lacks?: readonly string[];
  readonly schema: Schema;
  /** @returns reasons why rows of the right form cannot be used all the same */
  readonly take: (facts: Facts, rows: readonly ReadRow<z.output<Schema>>[], context: FileContext) => string[] | void;
}): Reader {
  const isOfShape = (value: unknown): boolean =>
    typeof value === "object" &&
    value !== null &&
    reader.has.every((name) => Object.hasOwn(value, name)) &&
    !(reader.lacks ?? []).some((name) => Object.hasOwn(value, name));
  return {
    shape: reader.shape,
    recognises: (file) => file.rows.some(({ value }) => isOfShape(value)),
    read(facts, file, context) {
      const rows: ReadRow<z.output<Schema>>[] = [];
      const unreadable: string[] = [];
      for (const { value, text } of file.rows) {
        const parsed = reader.schema.safeParse(value);
        if (parsed.success) rows.push({ row: parsed.data, line: text });
        else unreadable.push(describeIssues(parsed.error));
      }
      return [...unreadable, ...(reader.take(facts, rows, context) ?? [])];
    },
  };
}
