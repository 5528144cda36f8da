import { currentScope } from "../../lib/work-scope.ts";
import type { Log } from "./log.ts";

type Fields = Record<string, unknown>;

/**
 * Writes one JSON object per line: level, event, the request and work that it belongs to, and the fields.
 * Fields never contain credentials or payloads.
 */
export const consoleLog: Log = {
  info: (event: string, fields?: Fields) => console.log(line("info", event, fields)),
  warn: (event: string, fields?: Fields) => console.warn(line("warn", event, fields)),
  error: (event: string, fields?: Fields) => console.error(line("error", event, fields)),
};

function line(level: string, message: string, fields: Fields = {}): string {
  const scope = currentScope();
  const origin = scope === null ? {} : { request_id: scope.requestId ?? undefined, work: scope.work };
  return JSON.stringify({ level, message, ...origin, ...fields });
}

/**
 * The message of an error and of its causes, for logs and operator tables. Parameters of statements are left
 * out, and values that Postgres repeats.
 */
export const describeError = (error: unknown): string =>
  causesOf(error)
    .map((cause) => (cause instanceof Error ? `${cause.name}: ${messageOf(cause)}` : String(cause)))
    .join(" <- ");

/**
 * Where an error and its deepest cause were thrown: stack frames only, because a stack begins with the
 * message.
 */
export function describeStack(error: unknown): readonly string[] {
  const causes = causesOf(error).filter((cause) => cause instanceof Error);
  return [...new Set([causes[0], causes.at(-1)])].flatMap((cause) => framesOf(cause));
}

const MAX_CAUSES = 4;
const MAX_FRAMES = 8;

function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let at = error; at !== undefined && at !== null && causes.length < MAX_CAUSES;) {
    causes.push(at);
    at = at instanceof Error ? at.cause : null;
  }
  return causes;
}

const framesOf = (error: Error | undefined): string[] =>
  (error?.stack ?? "")
    .split("\n")
    .filter((text) => /^\s+at /.test(text))
    .slice(0, MAX_FRAMES)
    .map((text) => text.trim());

function messageOf(error: Error): string {
  // Drizzle's own message repeats the parameters, which include addresses and key hashes.
  if ("query" in error && "params" in error) return `failed query: ${String(error.query)}`;
  return isPostgresError(error) ? postgresMessage(error) : error.message;
}

/** An error that Postgres reported, over either transport. */
type PostgresError = Error & { readonly code: string; readonly severity: string; readonly constraint?: unknown };

const isPostgresError = (error: Error): error is PostgresError =>
  "code" in error &&
  typeof error.code === "string" &&
  SQLSTATE.test(error.code) &&
  "severity" in error &&
  typeof error.severity === "string";

const SQLSTATE = /^[0-9A-Z]{5}$/;

/**
 * Postgres quotes values and names alike and does not escape quotes within, so all between the outer ones
 * goes.
 */
function postgresMessage({ code, severity, message, constraint }: PostgresError): string {
  const violated = typeof constraint === "string" ? ` (${constraint})` : "";
  return `${severity} ${code}: ${message.replace(/".*"/s, '"..."')}${violated}`;
}
