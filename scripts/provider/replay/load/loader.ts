import type { z } from "zod";
import type { RecordedFile } from "./read-directory.ts";
import type { Recording } from "../recording.ts";

export interface LoadedRow<Row> {
  readonly row: Row;
  /** The text the row was parsed from. */
  readonly line: string;
}

export interface FileContext {
  readonly name: string;
  /** The only wallet in the folder's other files; null for none or more than one. */
  readonly folderWallet: string | null;
}

/** Recognises one shape of file and loads its rows. */
export interface Loader {
  readonly name: string;
  /** Lower stages load first: names before the trades that use them. */
  readonly stage: 0 | 1 | 2;
  fits(file: RecordedFile): boolean;
  load(recording: Recording, file: RecordedFile, context: FileContext): void;
}

const ROWS_TO_RECOGNISE = 5;

export function loader<Schema extends z.ZodType>(
  name: string,
  stage: Loader["stage"],
  schema: Schema,
  take: (recording: Recording, rows: readonly LoadedRow<z.output<Schema>>[], context: FileContext) => void,
): Loader {
  return {
    name,
    stage,
    fits: (file) => file.rows.slice(0, ROWS_TO_RECOGNISE).some(({ value }) => schema.safeParse(value).success),
    load(recording, file, context) {
      const rows = file.rows.flatMap(({ value, text }) => {
        const parsed = schema.safeParse(value);
        if (!parsed.success) recording.unreadableRows += 1;
        return parsed.success ? [{ row: parsed.data, line: text }] : [];
      });
      take(recording, rows, context);
    },
  };
}
