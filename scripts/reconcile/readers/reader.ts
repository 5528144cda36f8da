import type { z } from "zod";
import { describeIssues } from "../../../src/providers/polymarket/payloads/parse-provider-records.ts";
import type { RecordedFile } from "../../provider/replay/load/read-directory.ts";
import type { RecordingFacts } from "../recording-facts.ts";

export interface ReadRow<Row> {
  readonly row: Row;
  /** The text the row was parsed from. */
  readonly line: string;
}

export interface FileContext {
  readonly name: string;
  /** The only wallet in the files of this folder; null for none or more than one. */
  readonly folderWallet: string | null;
}

/** Reads one shape of file. */
export interface Reader {
  readonly shape: string;
  /**
   * Whether the file has this shape, decided by field names, so that a row with an invalid value still
   * counts.
   */
  recognises(file: RecordedFile): boolean;
  /** Adds the facts of the file. @returns one reason for each row that did not fit */
  read(facts: RecordingFacts, file: RecordedFile, context: FileContext): string[];
}

export function defineReader<Schema extends z.ZodType>(reader: {
  readonly shape: string;
  /** Field names that every row of the shape has. */
  readonly has: readonly string[];
  /** Field names that belong to another shape. */
  readonly lacks?: readonly string[];
  readonly schema: Schema;
  /** @returns reasons why valid rows cannot be used */
  readonly take: (
    facts: RecordingFacts,
    rows: readonly ReadRow<z.output<Schema>>[],
    context: FileContext,
  ) => string[] | void;
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
