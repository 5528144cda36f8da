import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { UserMeter } from "../../../durable-objects/user-meter/user-meter.ts";
import type { Env } from "../../../src/env.ts";
import { MeterUnavailable } from "../../../src/ports/meter.ts";
import { ObjectMeter } from "../../../src/ports/object-meter.ts";
import { aMeterRequest } from "../../support/meter-requests.ts";

// The bindings are those of wrangler.toml, which is where the test runtime takes them from.
const { USER_METER } = env as Env;
const meter = new ObjectMeter(USER_METER);
let accountId = 5000;

beforeAll(async () => {
  // The first object of a file waits for the Worker's modules to be read.
  await USER_METER.get(USER_METER.idFromName("first")).admit(aMeterRequest({ accountId: 1 }));
});

beforeEach(() => {
  // Ahead of the machine's clock, so that no alarm of the objects fires.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2032-02-10T12:00:00Z") });
  accountId++;
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("every request of an account reaches the same object", async () => {
  await meter.admit(aMeterRequest({ accountId }));
  const verdict = await new ObjectMeter(USER_METER).admit(aMeterRequest({ accountId, keyId: 12 }));
  expect(verdict).toEqual({
    refusedBy: null,
    retryAtMs: null,
    accounting: "persisted",
    window: { limit: 100, remaining: 98, resetAtMs: Date.parse("2032-02-10T12:01:00Z") },
    primary: { limit: 100, remaining: 98, resetAtMs: Date.parse("2032-02-10T12:01:00Z") },
    batch: null,
    quota: { limit: 250_000, used: 2, remaining: 249_998, resetAtMs: Date.parse("2032-03-01T00:00:00Z") },
    day: { used: 2, resetAtMs: Date.parse("2032-02-11T00:00:00Z") },
  });
});

describe("nothing is decided, and so MeterUnavailable,", () => {
  const refusal = () => meter.admit(aMeterRequest({ accountId })).catch((error: unknown) => error);

  test("when the object fails", async () => {
    vi.spyOn(UserMeter.prototype, "admit").mockRejectedValue(new Error("disk full"));
    expect(await refusal()).toBeInstanceOf(MeterUnavailable);
    expect(await refusal()).toMatchObject({ cause: { message: "disk full" } });
  });

  test("when the object cannot be named", async () => {
    const idFromName = () => {
      throw new Error("no such namespace");
    };
    const broken = new ObjectMeter({ get: (id) => USER_METER.get(id), idFromName });
    await expect(broken.admit(aMeterRequest({ accountId }))).rejects.toBeInstanceOf(MeterUnavailable);
  });

  test("when the object has not answered after 2 seconds; the next call that it answers is decided", async () => {
    const hanging = vi.spyOn(UserMeter.prototype, "admit").mockReturnValue(new Promise(() => undefined));
    const startedAt = performance.now();
    expect(await refusal()).toBeInstanceOf(MeterUnavailable);
    expect(performance.now() - startedAt).toBeGreaterThan(1_900);
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    hanging.mockRestore();
    expect(await refusal()).toMatchObject({ refusedBy: null, window: { remaining: 99 } });
  });
});
