import type { Env } from "../env.ts";
import { MeterUnavailable, type Meter, type MeterRequest, type MeterVerdict } from "./meter.ts";

const TIMEOUT_MS = 2_000;

/** The meter over one Durable Object a user. */
export class ObjectMeter implements Meter {
  readonly #objects: Pick<Env["USER_METER"], "idFromName" | "get">;

  constructor(objects: Pick<Env["USER_METER"], "idFromName" | "get">) {
    this.#objects = objects;
  }

  /** A call that is given up may still be counted: the user is then charged for a request that was not served, never the other way round. */
  async admit(request: MeterRequest): Promise<MeterVerdict> {
    try {
      const id = this.#objects.idFromName(String(request.accountId));
      return await withTimeout(this.#objects.get(id).admit(request));
    } catch (cause) {
      throw new MeterUnavailable("the user's meter did not answer", { cause });
    }
  }
}

async function withTimeout<T>(call: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
  });
  try {
    return await Promise.race([call, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
