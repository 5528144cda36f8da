import { createHash } from "node:crypto";
import type { RedisReply } from "./redis-runner.ts";
import { SCRIPTS } from "./redis-scripts.ts";

const NOT_AN_INTEGER = "ERR value is not an integer or out of range";

interface Entry {
  value: string;
  /** Milliseconds since the epoch; null never expires. */
  expiresAt: number | null;
}

/** The Redis commands of this product, in memory. Other commands fail with Redis's own error. */
export class MemoryRedis {
  readonly #entries = new Map<string, Entry>();
  readonly #now: () => number;
  /** SHA-1 of scripts already sent in full, which may be called by their hash. */
  readonly #knownScripts = new Set<string>();

  constructor(now: () => number) {
    this.#now = now;
  }

  run(command: readonly string[]): RedisReply {
    const [name = "", ...args] = command;
    switch (name.toLowerCase()) {
      case "ping":
        return args[0] ?? "PONG";
      case "get":
        return this.#find(required(args, 0, name))?.value ?? null;
      case "mget":
        return args.map((key) => this.#find(key)?.value ?? null);
      case "set":
        return this.#set(args);
      case "del":
        return args.filter((key) => this.#find(key) !== null && this.#entries.delete(key)).length;
      case "incrby":
        return this.#incrementBy(required(args, 0, name), wholeNumber(required(args, 1, name)));
      case "expire":
        return this.#expireIn(required(args, 0, name), wholeNumber(required(args, 1, name)) * 1000);
      case "eval":
        return this.#eval(args);
      case "evalsha":
        return this.#evalSha(required(args, 0, name).toLowerCase(), args.slice(1));
      case "exists":
        return args.filter((key) => this.#find(key) !== null).length;
      case "ttl":
        return this.#timeToLive(required(args, 0, name), 1000);
      case "pttl":
        return this.#timeToLive(required(args, 0, name), 1);
      default:
        throw new Error(`ERR unknown command '${name}'`);
    }
  }

  close(): void {
    this.#entries.clear();
  }

  #find(key: string): Entry | null {
    const entry = this.#entries.get(key);
    if (entry === undefined) return null;
    if (entry.expiresAt !== null && entry.expiresAt <= this.#now()) {
      this.#entries.delete(key);
      return null;
    }
    return entry;
  }

  #set(args: readonly string[]): RedisReply {
    const key = required(args, 0, "set");
    const value = required(args, 1, "set");
    let expiresAt: number | null = null;
    let when: "nx" | "xx" | null = null;
    for (let i = 2; i < args.length; i++) {
      const option = args[i]?.toLowerCase();
      if (option === "ex") expiresAt = this.#now() + wholeNumber(args[++i]) * 1000;
      else if (option === "px") expiresAt = this.#now() + wholeNumber(args[++i]);
      else if (option === "pxat") expiresAt = wholeNumber(args[++i]);
      else if (option === "nx" || option === "xx") when = option;
      else throw new Error("ERR syntax error");
    }
    const exists = this.#find(key) !== null;
    if ((when === "nx" && exists) || (when === "xx" && !exists)) return null;
    this.#entries.set(key, { value, expiresAt });
    return "OK";
  }

  /** A counter keeps its time to live. */
  #incrementBy(key: string, by: number): number {
    const entry = this.#find(key);
    if (entry !== null && !/^-?\d+$/.test(entry.value)) throw new Error(NOT_AN_INTEGER);
    const value = Number(entry?.value ?? 0) + by;
    this.#entries.set(key, { value: String(value), expiresAt: entry?.expiresAt ?? null });
    return value;
  }

  #expireIn(key: string, ms: number): number {
    const entry = this.#find(key);
    if (entry === null) return 0;
    entry.expiresAt = this.#now() + ms;
    return 1;
  }

  #eval(args: readonly string[]): RedisReply {
    const sha1 = createHash("sha1")
      .update(required(args, 0, "eval"))
      .digest("hex");
    if (!SCRIPTS.has(sha1))
      throw new Error(
        `ERR the in-memory Redis does not know this script (SHA-1 ${sha1}): set REDIS_URL to use a real one`,
      );
    this.#knownScripts.add(sha1);
    return this.#evalSha(sha1, args.slice(1));
  }

  /** @param args the number of keys, the keys, the script's arguments */
  #evalSha(sha1: string, args: readonly string[]): RedisReply {
    const script = SCRIPTS.get(sha1);
    if (script === undefined || !this.#knownScripts.has(sha1))
      throw new Error("NOSCRIPT No matching script. Please use EVAL.");
    const keys = wholeNumber(args[0]);
    const host = {
      get: (key: string) => this.#find(key)?.value ?? null,
      incrBy: (key: string, by: number) => this.#incrementBy(key, by),
      expireIn: (key: string, ms: number) => void this.#expireIn(key, ms),
    };
    return script(host, args.slice(1, 1 + keys), args.slice(1 + keys));
  }

  #timeToLive(key: string, unitMs: number): number {
    const entry = this.#find(key);
    if (entry === null) return -2;
    return entry.expiresAt === null ? -1 : Math.ceil((entry.expiresAt - this.#now()) / unitMs);
  }
}

function required(args: readonly string[], index: number, name: string): string {
  const value = args[index];
  if (value === undefined) throw new Error(`ERR wrong number of arguments for '${name.toLowerCase()}' command`);
  return value;
}

function wholeNumber(text: string | undefined): number {
  if (text === undefined || !/^[1-9]\d*$/.test(text)) throw new Error(NOT_AN_INTEGER);
  return Number(text);
}
