import type { Pool, PoolClient } from "@neondatabase/serverless";
import type { Database } from "../../../src/db/client.ts";
import type { ExportPorts } from "../../../src/exports/run-export-job.ts";
import type { ArtifactStore, ArtifactUpload } from "../../../src/platform/artifacts/artifact-store.ts";

/**
 * What becomes of the call that is in progress at the kill: it never arrives, it is carried out, or (only calls of
 * the object store) it is carried out after another consumer has begun.
 */
export type LastCall = "lost" | "done" | "late";

class ConsumerKilled extends Error {
  override name = "ConsumerKilled";
}

/** Whether an error is the death of a consumer, or a failed statement whose cause is one. */
export const isKill = (error: unknown): boolean =>
  error instanceof ConsumerKilled || (error instanceof Error && isKill(error.cause));

/**
 * The ports of a consumer whose process is killed at one of its steps. A step is a statement or a call of the
 * object store. After the kill no call has an effect, so what the code does with the error changes nothing.
 */
export class KillableConsumer {
  steps = 0;
  /** The step at which it was killed, as `store.putPart`; null while it lives. */
  killedAt: string | null = null;
  readonly #late: (() => Promise<unknown>)[] = [];
  /** Runs before each step. */
  beforeStep: () => Promise<void> = async () => undefined;
  readonly #dieAt: number | { readonly name: string; readonly nth: number };
  readonly #lastCall: LastCall;
  readonly #stepsOf = new Map<string, number>();

  /** @param dieAt the number of a step, or the nth step of a name */
  constructor(dieAt: number | { readonly name: string; readonly nth: number }, lastCall: LastCall) {
    this.#dieAt = dieAt;
    this.#lastCall = lastCall;
  }

  get hasLateCall(): boolean {
    return this.#late.length > 0;
  }

  /** Carries out the call that was in progress at the kill. */
  async deliverLateCall(): Promise<void> {
    for (const call of this.#late.splice(0)) await call().catch(() => undefined);
  }

  ports(db: Database, pool: Pool, store: ArtifactStore): Pick<ExportPorts, "db" | "pool" | "store"> {
    return { db: this.#watch(db, "db", ["execute"]), pool: this.#pool(pool), store: this.#store(store) };
  }

  #pool(pool: Pool): Pool {
    const connect = async () => this.#watch<PoolClient>(await pool.connect(), "session", ["query"]);
    return override(this.#watch(pool, "session", ["query"]), { connect });
  }

  #store(store: ArtifactStore): ArtifactStore {
    const watched = this.#watch(store, "store", ["put", "startUpload", "head", "read", "delete", "list"]);
    return override(watched, {
      startUpload: async (...args: Parameters<ArtifactStore["startUpload"]>) =>
        this.#upload(await watched.startUpload(...args)),
      resumeUpload: (key: string, uploadId: string) => this.#upload(store.resumeUpload(key, uploadId)),
    });
  }

  #upload(upload: ArtifactUpload): ArtifactUpload {
    return this.#watch(upload, "store", ["putPart", "complete", "abort"]);
  }

  #watch<T extends object>(target: T, port: string, methods: readonly string[]): T {
    const own = Object.fromEntries(
      methods.map((name) => {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== "function") throw new Error(`there is no method ${name}`);
        const call = (...args: unknown[]) =>
          this.#step(`${port}.${name}`, async () => Reflect.apply(method, target, args));
        return [name, call];
      }),
    );
    return override(target, own);
  }

  async #step(name: string, call: () => Promise<unknown>): Promise<unknown> {
    if (this.killedAt !== null) throw new ConsumerKilled();
    this.steps += 1;
    const ofName = (this.#stepsOf.get(name) ?? 0) + 1;
    this.#stepsOf.set(name, ofName);
    const dieAt = this.#dieAt;
    const dies = typeof dieAt === "number" ? this.steps >= dieAt : name === dieAt.name && ofName === dieAt.nth;
    await this.beforeStep();
    if (!dies) return call();
    this.killedAt = name;
    if (this.#lastCall === "done") await call().catch(() => undefined);
    if (this.#lastCall === "late" && name.startsWith("store.")) this.#late.push(call);
    throw new ConsumerKilled();
  }
}

function override<T extends object>(target: T, own: Readonly<Record<string, unknown>>): T {
  return new Proxy(target, {
    get(_, name) {
      if (typeof name === "string" && Object.hasOwn(own, name)) return own[name];
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
