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

/** Sends rows of `BinaryRows` to a table. */
export async function copyBinary(client: Client, target: string, rows: Iterable<Buffer>): Promise<void> {
  await pipeline(Readable.from(rows), client.query(from(`copy ${target} from stdin (format binary)`)));
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
