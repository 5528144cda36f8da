import { createReadStream, createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { from, to } from "pg-copy-streams";
import type { Client } from "../../services/postgres/session-over-tcp.ts";

/** Sends a CSV file to a table. An empty unquoted value is null. */
export async function copyFile(client: Client, target: string, path: string): Promise<void> {
  await pipeline(createReadStream(path), client.query(from(`copy ${target} from stdin (format csv)`)));
}

/** Writes the result of a query to a CSV file. */
export async function copyToFile(client: Client, query: string, path: string): Promise<void> {
  await pipeline(client.query(to(`copy (${query}) to stdout (format csv)`)), createWriteStream(path));
}

const LINES_AT_ONCE = 5_000;

/** Sends CSV lines to a table. */
export async function copyLines(client: Client, target: string, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return;
  const chunks = function* () {
    for (let start = 0; start < lines.length; start += LINES_AT_ONCE)
      yield Buffer.from(`${lines.slice(start, start + LINES_AT_ONCE).join("\n")}\n`);
  };
  await pipeline(Readable.from(chunks()), client.query(from(`copy ${target} from stdin (format csv)`)));
}

/** The result of a query in lines of CSV, whose values must contain neither quotes nor line ends. */
export async function* copyOut(client: Client, query: string): AsyncGenerator<string[]> {
  let rest = "";
  for await (const chunk of client.query(to(`copy (${query}) to stdout (format csv)`))) {
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.pop() ?? "";
    yield lines;
  }
}
