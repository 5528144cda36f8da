import { renderObject, renderTable } from "./table.ts";
import { safeText } from "./safe-text.ts";

type Row = Readonly<Record<string, unknown>>;

interface Stream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface Output {
  /** Whether people read the output: it is a terminal, and JSON was not asked for. */
  readonly isForPeople: boolean;
  /** A page of rows: a table for people, one JSON object a line for programs. */
  rows(rows: readonly unknown[]): void;
  /** One answer: names and values of its data for people, the whole JSON for programs. */
  answer(answer: { readonly data?: unknown }): void;
  /** One event: a line for people, one JSON object a line for programs. */
  event(summary: string, event: unknown): void;
  /** Text as it is, for example Markdown. */
  text(text: string): void;
  /** A remark for people, on stderr. */
  note(text: string): void;
  /** A mistake or a failure, on stderr. */
  error(text: string): void;
  /** The state of long work: replaces the last one; only on a terminal. */
  progress(text: string): void;
}

const [BOLD, RED, DIM, RESET, CLEAR_LINE] = ["\u001b[1m", "\u001b[31m", "\u001b[2m", "\u001b[0m", "\r\u001b[K"];
const DEFAULT_COLUMNS = 80;

/** @param isJson JSON also on a terminal */
export function openOutput(
  stdout: Stream,
  stderr: Stream,
  env: Readonly<Record<string, string | undefined>>,
  isJson: boolean,
): Output {
  const isForPeople = stdout.isTTY === true && !isJson;
  // no-color.org: any value that is not empty.
  const hasColours = (stream: Stream) => stream.isTTY === true && !env["NO_COLOR"] && env["TERM"] !== "dumb";
  const paint = (stream: Stream, colour: string, text: string) =>
    hasColours(stream) ? `${colour}${text}${RESET}` : text;
  const print = (text: string) => void stdout.write(`${text}\n`);
  const json = (value: unknown, space?: number) => {
    const text = JSON.stringify(value, null, space) ?? "null";
    print(stdout.isTTY === true ? safeText(text) : text);
  };
  let hasProgress = false;
  const clearProgress = () => {
    if (hasProgress) stderr.write(CLEAR_LINE);
    hasProgress = false;
  };
  return {
    isForPeople,
    rows(rows) {
      clearProgress();
      if (!isForPeople || !rows.every(isRow)) return rows.forEach((row) => json(row));
      if (rows.length === 0) return;
      const [header = "", ...lines] = renderTable(rows, stdout.columns ?? DEFAULT_COLUMNS);
      print(paint(stdout, BOLD, header));
      lines.forEach(print);
    },
    answer(answer) {
      clearProgress();
      if (isForPeople && isRow(answer.data)) renderObject(answer.data).forEach(print);
      else json(answer, stdout.isTTY === true ? 2 : undefined);
    },
    event(summary, event) {
      if (isForPeople) print(safeText(summary));
      else json(event);
    },
    text: (text) => print(stdout.isTTY === true ? safeText(text) : text),
    note(text) {
      clearProgress();
      stderr.write(`${paint(stderr, DIM, safeText(text))}\n`);
    },
    error(text) {
      clearProgress();
      stderr.write(`${paint(stderr, RED, safeText(text))}\n`);
    },
    progress(text) {
      if (stderr.isTTY !== true) return;
      stderr.write(`${CLEAR_LINE}${safeText(text)}`);
      hasProgress = true;
    },
  };
}

const isRow = (value: unknown): value is Row => typeof value === "object" && value !== null && !Array.isArray(value);
