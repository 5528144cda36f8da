import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openDatabase } from "../../../src/db/client.ts";
import { createTestDatabase } from "../../support/database.ts";
import { expectApiError } from "../../support/kernel/api-error.ts";
import { FAULTY } from "../../support/kernel/faulty-operations.ts";
import { aKey } from "../../support/kernel/keys.ts";
import { openKernel, openTestRuntime, type Kernel, type Sent } from "../../support/kernel/open-kernel.ts";

const TIMED_OUT = { status: 408, code: "request_timeout", reason: null, param: null };

let api: Kernel;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
  const { db, databaseUrl } = await createTestDatabase();
  const runtime = openTestRuntime(databaseUrl);
  // Statements have timers of their own, which must not run out when the clock is moved.
  const patient = openDatabase(runtime.config, 3_600_000);
  api = openKernel({ ...runtime, db: patient }, FAULTY, await aKey(db));
});

afterEach(() => {
  vi.useRealTimers();
});

/** What an answer that never comes is after so long; null while there is none. */
async function after(ms: number, path: string, sent: Sent) {
  const answer = api.send(path, sent);
  // The request is under way when its deadline has been set.
  await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
  await vi.advanceTimersByTimeAsync(ms);
  return Promise.race([answer, Promise.resolve(null)]);
}

describe("a request that has no answer after 30 seconds is 408", () => {
  test.for(["GET", "HEAD"])("and %s says when to try again", async (method) => {
    expect(await after(29_900, "/api/v1/endless", { method })).toBeNull();
    const answer = await after(30_000, "/api/v1/endless", { method });
    expect(answer?.status).toBe(408);
    expect(answer?.headers.get("retry-after")).toBe("5");
    expect(answer?.text === "").toBe(method === "HEAD");
  });

  test("and POST does not, as it may have completed", async () => {
    const answer = await after(30_000, "/api/v1/endless", { method: "POST" });
    if (answer === null) throw new Error("no answer");
    expectApiError(answer, TIMED_OUT);
    expect(answer.headers.has("retry-after")).toBe(false);
    expect(answer.body.error).not.toHaveProperty("retry_at");
  });

  test("and so is one whose body never ends", async () => {
    const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{"boxes":')) });
    const answer = await after(30_000, "/api/v1/boxes", { method: "POST", headers: { "content-type": "application/json" }, body });
    if (answer === null) throw new Error("no answer");
    expectApiError(answer, TIMED_OUT);
  });
});
