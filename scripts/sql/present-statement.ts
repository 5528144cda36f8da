import type { LoggedStatement } from "./run-read.ts";

/** The statement and, as comments, its parameters. */
export function presentStatement({ text, params }: LoggedStatement): string {
  const values = params.map((value, index) => `-- $${index + 1} = ${JSON.stringify(value)}`);
  return [`${text.trim()};`, ...values].join("\n");
}

export const presentPlan = (lines: readonly string[]): string => lines.map((line) => `-- ${line}`).join("\n");
