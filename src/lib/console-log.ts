import type { Log } from "./log.ts";

type Fields = Record<string, unknown>;

/** One JSON object a line. Fields never carry credentials or payloads. */
export const consoleLog: Log = {
  info: (message: string, fields?: Fields) => console.log(line("info", message, fields)),
  warn: (message: string, fields?: Fields) => console.warn(line("warn", message, fields)),
  error: (message: string, fields?: Fields) => console.error(line("error", message, fields)),
};

function line(level: string, message: string, fields: Fields = {}): string {
  return JSON.stringify({ level, message, ...fields });
}

/** An error's text with the texts of its causes, for logs and operator tables. The values a statement was run with are left out. */
export function describeError(error: unknown): string {
  const texts: string[] = [];
  for (let at = error; at !== undefined && at !== null && texts.length < 4; at = at instanceof Error ? at.cause : null) {
    texts.push(at instanceof Error ? `${at.name}: ${messageOf(at)}` : String(at));
  }
  return texts.join(" <- ");
}

/** Drizzle's message repeats the parameters, among them addresses and hashes of keys. */
function messageOf(error: Error): string {
  return "query" in error && "params" in error ? `failed query: ${String(error.query)}` : error.message;
}
