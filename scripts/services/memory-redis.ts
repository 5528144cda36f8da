export type Reply = string | number | null | Reply[];

interface Entry {
  value: string;
  /** Milliseconds since the epoch; null lives for ever. */
  expiresAt: number | null;
}

/** The Redis commands this product sends, in memory. Any other answers with Redis's own error. */
export class MemoryRedis {
  readonly #entries = new Map<string, Entry>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  run(command: readonly string[]): Reply {
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

  #set(args: readonly string[]): Reply {
    const key = required(args, 0, "set");
    const value = required(args, 1, "set");
    let expiresAt: number | null = null;
    let when: "nx" | "xx" | null = null;
    for (let i = 2; i < args.length; i++) {
      const option = args[i]?.toLowerCase();
      if (option === "ex") expiresAt = this.#now() + wholeNumber(args[++i]) * 1000;
      else if (option === "px") expiresAt = this.#now() + wholeNumber(args[++i]);
      else if (option === "nx" || option === "xx") when = option;
      else throw new Error("ERR syntax error");
    }
    const exists = this.#find(key) !== null;
    if ((when === "nx" && exists) || (when === "xx" && !exists)) return null;
    this.#entries.set(key, { value, expiresAt });
    return "OK";
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
  if (text === undefined || !/^[1-9]\d*$/.test(text)) throw new Error("ERR value is not an integer or out of range");
  return Number(text);
}
