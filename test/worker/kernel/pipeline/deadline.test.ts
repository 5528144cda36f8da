import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openDatabase } from "../../../../src/db/client.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { expectApiError } from "../../../support/kernel/api-error.ts";
import { FAULTY } from "../../../support/kernel/faulty-operations.ts";
import { aKey } from "../../../support/kernel/keys.ts";
import { openKernel, openTestRuntime, type Kernel, type KernelRequest } from "../../../support/kernel/open-kernel.ts";

const TIMED_OUT = { status: 408, code: "request_timeout", reason: null, param: null };

let api: Kernel;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
  const { db, databaseUrl } = await createTestDatabase();
  const runtime = openTestRuntime(databaseUrl);
  // Statements have their own timers, which must not fire when the clock is advanced.
  const patient = openDatabase(runtime.config, 3_600_000);
  api = openKernel({ ...runtime, db: patient }, FAULTY, await aKey(db));
});

afterEach(() => {
  vi.useRealTimers();
});

/** The response after this time, or null if there is none yet. */
async function responseAfter(ms: number, path: string, sent: KernelRequest) {
  const response = api.send(path, sent);
  // The request has started once its deadline timer is set.
  await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
  await vi.advanceTimersByTimeAsync(ms);
  return Promise.race([response, Promise.resolve(null)]);
}

describe("request deadline", () => {
  test.for(["GET", "HEAD"])(
    "a %s request without a response after 30 seconds returns 408 with Retry-After",
    async (method) => {
      expect(await responseAfter(29_900, "/api/v1/endless", { method })).toBeNull();
      const response = await responseAfter(30_000, "/api/v1/endless", { method });
      expect(response?.status).toBe(408);
      expect(response?.headers.get("retry-after")).toBe("5");
      expect(response?.text === "").toBe(method === "HEAD");
    },
  );

  test("a POST request that times out returns 408 without Retry-After, because it may have completed", async () => {
    const response = await responseAfter(30_000, "/api/v1/endless", { method: "POST" });
    if (response === null) throw new Error("no answer");
    expectApiError(response, TIMED_OUT);
    expect(response.headers.has("retry-after")).toBe(false);
    expect(response.body.error).not.toHaveProperty("retry_at");
  });

  test("a request whose body never ends returns 408 after 30 seconds", async () => {
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"boxes":')),
    });
    const sent = { method: "POST", headers: { "content-type": "application/json" } };
    // The isolate knows the key then: its look-up would go on after the deadline.
    await api.send("/api/v1/boxes", { ...sent, body: "{}" });
    const response = await responseAfter(30_000, "/api/v1/boxes", { ...sent, body });
    if (response === null) throw new Error("no answer");
    expectApiError(response, TIMED_OUT);
  });
});
