import type { Log } from "../context.ts";

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

/** An error's text with the texts of its causes, for logs and operator tables. */
export function describeError(error: unknown): string {
  const texts: string[] = [];
  for (let at = error; at !== undefined && at !== null && texts.length < 4; at = at instanceof Error ? at.cause : null) {
    texts.push(at instanceof Error ? `${at.name}: ${at.message}` : String(at));
  }
  return texts.join(" <- ");
}
