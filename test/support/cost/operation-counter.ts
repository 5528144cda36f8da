/// <reference types="@cloudflare/vitest-plugin/types" />
import { inject, vi } from "vitest";
import { BILLED_NAMES, type Billed, type OperationCounts } from "../../../scripts/cost/request-counts.ts";
import { SCRIPTS } from "../../../scripts/services/redis/redis-scripts.ts";

const noCounts = (): OperationCounts =>
  Object.fromEntries(BILLED_NAMES.map((name) => [name, 0])) as unknown as OperationCounts;

/** The host of a receiver of webhooks, whose requests are answered here. */
export const RECEIVER_HOST = "hooks.example.com";

/**
 * Counts the operations that the services bill, while `count` runs. Redis and Postgres are counted at `fetch` and at
 * the socket of a session, storage of objects at the prototypes of the runtime, which all objects share.
 */
export class OperationCounter {
  #counts = noCounts();
  #cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];

  add(name: Billed, by = 1): void {
    this.#counts[name] += by;
  }

  /** The operations of `work`. */
  async count(work: () => Promise<unknown>): Promise<OperationCounts> {
    this.#counts = noCounts();
    this.#cursors = [];
    await work();
    const counts = { ...this.#counts };
    // A cursor knows its rows once it was read to the end.
    for (const { rowsRead, rowsWritten } of this.#cursors) {
      counts.object_rows_read += rowsRead;
      counts.object_rows_written += rowsWritten;
    }
    return counts;
  }

  /** Redis, Postgres over HTTP and over sessions. DNS and the receiver are answered here. */
  watchNetwork(): void {
    const { redisUrl, neonHttpEndpoint, neonSocketProxy } = inject("services");
    const network = globalThis.fetch;
    vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : String(input));
      if (url.href.startsWith(redisUrl)) this.add("redis_commands", countCommands(url.pathname, init?.body));
      else if (url.href.startsWith(neonHttpEndpoint)) this.add("postgres_statements", countStatements(init?.body));
      else if (url.host === RECEIVER_HOST) return new Response();
      else if (url.host === "cloudflare-dns.com") return dnsAnswer(url);
      return network(input as RequestInfo, init as RequestInit);
    });
    const sessionHost = new URL(`ws://${neonSocketProxy}`).host;
    const { send } = WebSocket.prototype;
    const addRoundTrip = () => this.add("session_round_trips");
    vi.spyOn(WebSocket.prototype, "send").mockImplementation(function (this: WebSocket, message) {
      if (this.url !== null && new URL(this.url).host === sessionHost) addRoundTrip();
      return send.call(this, message);
    });
  }

  /** SQL, the key-value methods and alarms of every object. @param storage that of any object */
  watchStorage(storage: DurableObjectStorage): void {
    const cursors = () => this.#cursors;
    const sql = Object.getPrototypeOf(storage.sql) as SqlStorage;
    const { exec } = sql;
    vi.spyOn(sql, "exec").mockImplementation(function (this: SqlStorage, ...args: Parameters<SqlStorage["exec"]>) {
      const cursor = exec.apply(this, args);
      cursors().push(cursor);
      return cursor;
    } as SqlStorage["exec"]);
    const billedAs = { get: "object_rows_read", put: "object_rows_written", delete: "object_rows_written" } as const;
    for (const [name, billed] of Object.entries(billedAs))
      this.#watchMethod(storage, name, (first) => this.add(billed, countKeys(first)));
    this.#watchMethod(storage, "setAlarm", () => this.add("object_rows_written"));
  }

  #watchMethod(storage: DurableObjectStorage, name: string, note: (first: unknown) => void): void {
    let owner: object = Object.getPrototypeOf(storage);
    while (!Object.hasOwn(owner, name)) owner = Object.getPrototypeOf(owner);
    const methods = owner as Record<string, (this: unknown, ...args: unknown[]) => unknown>;
    const method = methods[name];
    if (method === undefined) throw new Error(`storage has no method ${name}`);
    vi.spyOn(methods, name).mockImplementation(function (this: unknown, ...args) {
      note(args[0]);
      return method.apply(this, args);
    });
  }
}

/** One key, a list of keys, or an object of keys and values. */
function countKeys(first: unknown): number {
  if (Array.isArray(first)) return first.length;
  return typeof first === "object" && first !== null ? Object.keys(first).length : 1;
}

function countStatements(body: unknown): number {
  const { queries } = JSON.parse(String(body)) as { queries?: unknown[] };
  return queries?.length ?? 1;
}

function countCommands(path: string, body: unknown): number {
  const sent = JSON.parse(String(body)) as unknown[];
  const commands = path === "/pipeline" || path === "/multi-exec" ? (sent as unknown[][]) : [sent];
  return commands.reduce((sum, command) => sum + 1 + countScriptCommands(command.map(String)), 0);
}

/**
 * The commands that a script runs, which are billed beside its call. Its counters exist already: only the first
 * request of an address and minute also sets an expiry.
 */
function countScriptCommands([name = "", sha1 = "", keyCount = "0", ...args]: readonly string[]): number {
  if (name.toLowerCase() !== "evalsha") return 0;
  const script = SCRIPTS.get(sha1);
  if (script === undefined) throw new Error(`unknown script ${sha1}`);
  let commands = 0;
  const counted = <T>(reply: T): T => {
    commands++;
    return reply;
  };
  const host = { get: () => counted("1"), incrBy: () => counted(2), expireIn: () => counted(undefined) };
  script(host, args.slice(0, Number(keyCount)), args.slice(Number(keyCount)));
  return commands;
}

const dnsAnswer = ({ searchParams }: URL): Response =>
  Response.json({ Status: 0, Answer: searchParams.get("type") === "A" ? [{ type: 1, data: "1.1.1.1" }] : [] });
