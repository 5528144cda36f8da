import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { UserMeter } from "../../../../durable-objects/user-meter/user-meter.ts";
import type { CredentialRecord } from "../../../../src/domain/accounts/credential-record.ts";
import type { Env } from "../../../../src/env.ts";
import { MeterUnavailable } from "../../../../src/platform/objects/meter.ts";
import { DurableObjectMeter } from "../../../../src/platform/objects/durable-object-meter.ts";
import { aKeyRecord } from "../../../support/kernel/key-record.ts";
import { elapseTimersOf } from "../../../support/elapse-timers.ts";
import { aMeterRequest } from "../../../support/api/meter-requests.ts";

// The bindings come from wrangler.toml, which the test runtime reads.
const { USER_METER } = env as Env;
const meter = new DurableObjectMeter(USER_METER);
let accountId = 5000;

beforeAll(async () => {
  // The first object of a file waits until the Worker's modules are loaded.
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

const requestOf = (hash = "a") => ({
  credential: { hash, accountId },
  requirement: { scope: "read", plan: "pro" } as const,
  operation: "getTrader",
  budget: "primary" as const,
  batchUnits: null,
});

const load = async (): Promise<CredentialRecord> => aKeyRecord(accountId);

test("every request of an account reaches the same object", async () => {
  await meter.admit(requestOf("a"), load);
  const admission = await new DurableObjectMeter(USER_METER).admit(requestOf("b"), load);
  expect(admission.kind === "granted" && admission.verdict).toEqual({
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

describe("MeterUnavailable", () => {
  const refusal = () => meter.admit(requestOf(), load).catch((error: unknown) => error);

  test("a failing object throws MeterUnavailable with the cause", async () => {
    vi.spyOn(UserMeter.prototype, "admitCaller").mockRejectedValue(new Error("disk full"));
    expect(await refusal()).toBeInstanceOf(MeterUnavailable);
    expect(await refusal()).toMatchObject({ cause: { message: "disk full" } });
  });

  test("an object that cannot be named throws MeterUnavailable", async () => {
    const idFromName = () => {
      throw new Error("no such namespace");
    };
    const broken = new DurableObjectMeter({ get: (id) => USER_METER.get(id), idFromName });
    await expect(broken.admit(requestOf(), load)).rejects.toBeInstanceOf(MeterUnavailable);
  });

  test("an object without a response in 2 seconds throws MeterUnavailable, and the next call succeeds", async () => {
    const hanging = vi.spyOn(UserMeter.prototype, "admitCaller").mockReturnValue(new Promise(() => undefined));
    const timeouts = elapseTimersOf(2_000);
    expect(await refusal()).toBeInstanceOf(MeterUnavailable);
    expect(timeouts.started()).toBe(1);
    timeouts.stop();
    // The call that timed out must not reach the object later.
    await expect.poll(() => hanging.mock.calls.length).toBe(1);
    hanging.mockRestore();
    expect(await refusal()).toMatchObject({ verdict: { refusedBy: null, window: { remaining: 99 } } });
  });
});
