import type { Env } from "../../env.ts";
import { currentScope } from "../../lib/work-scope.ts";
import { MeterUnavailable, type Meter, type MeterRequest, type MeterVerdict } from "./meter.ts";
import { withTimeout } from "../../lib/timing/with-timeout.ts";

const TIMEOUT_MS = 2_000;

/** The meter over one Durable Object per user. */
export class DurableObjectMeter implements Meter {
  readonly #objects: Pick<Env["USER_METER"], "idFromName" | "get">;

  constructor(objects: Pick<Env["USER_METER"], "idFromName" | "get">) {
    this.#objects = objects;
  }

  /**
   * A call that times out may still be counted: the user is then charged for a request that was not served.
   * The reverse never happens.
   */
  async admit(request: MeterRequest): Promise<MeterVerdict> {
    try {
      const id = this.#objects.idFromName(String(request.accountId));
      return await withTimeout(
        this.#objects.get(id).admit({ ...request, requestId: currentScope()?.requestId ?? null }),
        TIMEOUT_MS,
      );
    } catch (cause) {
      throw new MeterUnavailable("the user's meter did not respond", { cause });
    }
  }
}
