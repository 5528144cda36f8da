import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Webhook } from "standardwebhooks";
import { accounts, webhookEndpoints } from "../../../../src/db/schema.ts";
import { decideAfterChallenge } from "../../../../src/domain/webhooks/verify-schedule.ts";
import { listOverdueAttempts, pruneAttempts } from "../../../../src/webhooks/sweep-attempts.ts";
import { claimChallenge } from "../../../../src/webhooks/claim-challenge.ts";
import { recordChallenge } from "../../../../src/webhooks/record-challenge.ts";
import { verifyReceiver, type VerifySettings } from "../../../../src/webhooks/verify-receiver.ts";
import { departures } from "../../../contract/contract.ts";
import { someDeliveries } from "../../../support/seed/webhooks.ts";
import { hang, settingsFor, type Answer } from "../../../support/webhooks/delivering.ts";
import { openManaged, refusalOf, type Managed, type Owner } from "../../../support/webhooks/managing.ts";

const START = Date.parse("2031-03-05T12:00:00Z");

let managed: Managed;
let owner: Owner;
let nowMs: number;
let made: any;
let told: { message: any; delaySeconds: number }[];

beforeEach(async () => {
  nowMs = START;
  vi.useFakeTimers({ toFake: ["Date"], now: nowMs });
  managed = await openManaged();
  owner = await managed.owner();
  made = await owner.create();
  told = [];
});

afterEach(() => {
  vi.useRealTimers();
});

const moveOn = (ms: number) => vi.setSystemTime((nowMs += ms));
const path = () => `/api/v1/webhooks/${made.id}/verification-attempts`;
const begin = (token = made.verification.token) => owner.send("POST", path(), { verification_token: token });
const read = async (id: string) => (await owner.get(`${path()}/${id}`)).body.data;
const status = async () => (await owner.get(`/api/v1/webhooks/${made.id}`)).body.data.status;
const settings = (answer: Answer, overrides: Partial<VerifySettings> = {}): VerifySettings => ({
  ...settingsFor(managed.db, answer, () => nowMs),
  tell: async (message, delaySeconds) => void told.push({ message, delaySeconds }),
  ...overrides,
});
const run = (id: string, answer: Answer, overrides: Partial<VerifySettings> = {}) => verifyReceiver(id, settings(answer, overrides));
const ok: Answer = () => new Response();
const no: Answer = () => new Response("no", { status: 500 });

describe("an attempt", () => {
  test("is queued at once, told of through the queue, and can be read at its status_url", async () => {
    const begun = await begin();
    expect(begun.status).toBe(202);
    expect(departures("WebhookVerificationAttemptResponse", begun.body)).toEqual([]);
    const { id } = begun.body.data;
    expect(begun.body.data).toEqual({
      ...{
        id,
        object: "webhook_verification_attempt",
        webhook_id: made.id,
        state: "queued",
        outcome: null,
        attempt_count: 0,
        max_attempts: 4,
      },
      ...{ expires_at: "2031-03-05T12:15:00.000Z", next_attempt_at: "2031-03-05T12:00:00.000Z", last_response_status: null },
      ...{ started_at: null, completed_at: null, created_at: "2031-03-05T12:00:00.000Z", updated_at: "2031-03-05T12:00:00.000Z" },
      status_url: `${path()}/${id}`,
    });
    expect((await owner.get(begun.body.data.status_url)).body.data).toEqual(begun.body.data);
    expect(managed.told).toEqual([{ kind: "verify_receiver", attempt_id: id }]);
    expect(begun.text).not.toContain(made.verification.token);
  });

  test("is one while it is under way, however many are asked for at once", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => begin()));
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
  });

  test("posts a signed challenge, and a 2xx makes the endpoint active with what has waited due", async () => {
    await someDeliveries(managed.db, String(made.id), 1, { nextAttemptAt: new Date(nowMs + 60_000) });
    const { id } = (await begin()).body.data;
    const seen: any[] = [];
    await run(id, ({ url, headers, body }) => {
      seen.push({ url, ...Object.fromEntries(headers), ...JSON.parse(body) });
      new Webhook(made.signing_secret).verify(body, Object.fromEntries(headers));
      return new Response("x".repeat(100_000), { status: 200 });
    });
    expect(seen).toEqual([
      expect.objectContaining({
        ...{ url: made.url, type: "webhook.verification", token: made.verification.token, webhook_id: made.id },
        ...{ "x-service-event-type": "webhook.verification", "x-service-verification-attempt": "1" },
        "x-service-signature": expect.stringMatching(/^v1=[0-9a-f]{64}$/),
      }),
    ]);
    expect(await read(id)).toMatchObject({ state: "verified", outcome: "verified", attempt_count: 1, last_response_status: 200 });
    expect(await status()).toBe("active");
    expect(told).toEqual([{ message: { kind: "wake_endpoint", endpoint_id: String(made.id) }, delaySeconds: 0 }]);
    expect(refusalOf(await begin())).toEqual({ status: 409, reason: null, param: "endpoint" });
  });

  test("does not wait for the body of an answer", async () => {
    const { id } = (await begin()).body.data;
    await run(id, () => new Response(new ReadableStream({ pull: () => new Promise<never>(() => undefined) })));
    expect(await read(id)).toMatchObject({ state: "verified" });
  });

  test("is four challenges at most, 5, 15 and 45 seconds apart, and fails after the last", async () => {
    const { id } = (await begin()).body.data;
    const seen: object[] = [];
    for (const wait of [5, 15, 45, null]) {
      await run(id, no);
      const attempt = await read(id);
      seen.push(attempt);
      expect(
        departures("WebhookVerificationAttemptResponse", { object: "webhook_verification_attempt", data: attempt, meta: {} }).filter(
          (departure) => !departure.startsWith("/meta"),
        ),
      ).toEqual([]);
      const next = wait === null ? null : new Date(nowMs + wait * 1000).toISOString();
      expect(attempt).toMatchObject({ next_attempt_at: next, last_response_status: 500 });
      expect(told.splice(0)).toEqual(wait === null ? [] : [{ message: { kind: "verify_receiver", attempt_id: id }, delaySeconds: wait }]);
      // A message that comes early, or twice, does nothing.
      moveOn((wait ?? 0) * 1000 - 1);
      await run(id, ok);
      expect(await read(id)).toEqual(attempt);
      moveOn(1);
    }
    expect(seen).toMatchObject([
      ...[1, 2, 3].map((count) => ({ state: "queued", outcome: "receiver_rejected", attempt_count: count, completed_at: null })),
      { state: "failed", outcome: "attempts_exhausted", attempt_count: 4, completed_at: expect.any(String) },
    ]);
    expect(await status()).toBe("pending_verification");
    expect((await begin()).body.data.id).not.toBe(id);
  });

  test.each([
    ["redirects", () => new Response(null, { status: 307, headers: { location: "https://10.0.0.1/" } }), "receiver_rejected", 307],
    ["drops the connection", () => Promise.reject(new Error("reset")), "transport_failed", null],
  ])("goes on when the receiver %s", async (_, answer, outcome, responseStatus) => {
    const { id } = (await begin()).body.data;
    await run(id, answer);
    expect(await read(id)).toMatchObject({ state: "queued", outcome, last_response_status: responseStatus });
  });

  test("goes on when the receiver does not answer within ten seconds", async () => {
    const { id } = (await begin()).body.data;
    const begunAt = performance.now();
    await run(id, hang);
    const took = performance.now() - begunAt;
    expect(took).toBeGreaterThan(9_500);
    expect(took).toBeLessThan(13_000);
    expect(await read(id)).toMatchObject({ state: "queued", outcome: "challenge_timeout" });
  });

  test("fails at once when the host resolves to an address that is not public, and posts nothing", async () => {
    const { id } = (await begin()).body.data;
    const resolver = { resolve: async () => ({ kind: "addresses", addresses: ["10.0.0.1"] }) as const };
    const posted = vi.fn(ok);
    await run(id, posted, { policy: { resolver, allowLoopback: false } });
    expect(await read(id)).toMatchObject({ state: "failed", outcome: "target_rejected", last_response_status: null });
    expect(posted).not.toHaveBeenCalled();
  });

  test("counts no challenge that could not be posted for a reason of ours", async () => {
    const { id } = (await begin()).body.data;
    const resolver = { resolve: async () => ({ kind: "unavailable", reason: "away" }) as const };
    for (let turn = 0; turn < 6; turn++) {
      await run(id, ok, { policy: { resolver, allowLoopback: false } });
      expect(await read(id)).toMatchObject({ state: "queued", outcome: "internal_error", attempt_count: 0 });
      moveOn(5_000);
    }
    await run(id, ok);
    expect(await read(id)).toMatchObject({ state: "verified", attempt_count: 1 });
  });

  test("ends with its token, or after fifteen minutes", async () => {
    const late = (await begin()).body.data.id;
    await run(late, no);
    moveOn(15 * 60_000);
    await run(late, ok);
    expect(await read(late)).toMatchObject({ state: "expired", outcome: "receiver_rejected" });
    moveOn(24 * 3_600_000 - 15 * 60_000 - 60_000);
    const { id, expires_at: end } = (await begin()).body.data;
    expect(end).toBe("2031-03-06T12:00:00.000Z");
    moveOn(60_000);
    await run(id, ok);
    expect(await read(id)).toMatchObject({ state: "expired", outcome: "token_expired", attempt_count: 0 });
    expect(await status()).toBe("pending_verification");
    expect(refusalOf(await begin())).toEqual({ status: 400, reason: null, param: "verification_token" });
  });

  test("is cancelled by a change of the endpoint, even one that comes between challenge and answer", async () => {
    const { id } = (await begin()).body.data;
    await run(id, async () => {
      await owner.send("PATCH", `/api/v1/webhooks/${made.id}`, { url: "https://other.example.com/" });
      return new Response();
    });
    expect(await read(id)).toMatchObject({ state: "cancelled", outcome: "endpoint_changed" });
    expect(await status()).toBe("pending_verification");
  });

  test.each([
    [
      "verified by its token",
      () => owner.send("POST", `/api/v1/webhooks/${made.id}/verify`, { verification_token: made.verification.token }),
    ],
    ["disabled", () => owner.send("PATCH", `/api/v1/webhooks/${made.id}`, { enabled: false })],
  ])("is cancelled when the endpoint is %s", async (_, change) => {
    const { id } = (await begin()).body.data;
    expect((await change()).status).toBe(200);
    await run(id, ok);
    expect(await read(id)).toMatchObject({ state: "cancelled", outcome: "endpoint_changed", next_attempt_at: null });
  });

  test("is cancelled when the account may not use webhooks any more", async () => {
    const { id } = (await begin()).body.data;
    await managed.db.update(accounts).set({ state: "lapsed" });
    await run(id, ok);
    await managed.db.update(accounts).set({ state: "active" });
    expect(await read(id)).toMatchObject({ state: "cancelled", outcome: "owner_revoked" });
  });

  test("is refused with another token", async () => {
    expect(refusalOf(await begin(`whv_${"0".repeat(32)}`))).toEqual({ status: 400, reason: null, param: "verification_token" });
    expect(managed.told).toEqual([]);
  });
});

describe("a worker that dies, or comes twice,", () => {
  test("is replaced once its lease has ended, and its late answer changes nothing", async () => {
    const { id } = (await begin()).body.data;
    const posts: string[] = [];
    let release = (): void => undefined;
    const dead = run(id, async () => {
      posts.push("first");
      await new Promise<void>((resolve) => (release = resolve));
      return new Response("no", { status: 500 });
    });
    await vi.waitFor(() => expect(posts).toEqual(["first"]));
    expect(await read(id)).toMatchObject({ state: "running", next_attempt_at: null, started_at: expect.any(String) });
    expect(await listOverdueAttempts(managed.db, new Date(nowMs))).toEqual([]);
    moveOn(30_001);
    expect(await listOverdueAttempts(managed.db, new Date(nowMs))).toEqual([id]);
    await run(id, ok);
    release();
    await dead;
    expect(await read(id)).toMatchObject({ state: "verified", attempt_count: 2 });
    expect(await status()).toBe("active");
  });

  test("cannot make the endpoint active with an answer that comes while its successor is at work", async () => {
    const { id } = (await begin()).body.data;
    const dead = await claimChallenge(managed.db, id, "dead", new Date(nowMs));
    moveOn(30_000);
    expect(await claimChallenge(managed.db, id, "successor", new Date(nowMs))).not.toBeNull();
    const accepted = decideAfterChallenge({ kind: "accepted", status: 200 }, 1);
    expect(await recordChallenge(managed.db, dead as NonNullable<typeof dead>, accepted, new Date(nowMs))).toBeNull();
    expect(await read(id)).toMatchObject({ state: "running", attempt_count: 2, last_response_status: null });
    expect(await status()).toBe("pending_verification");
  });

  test("posts one challenge for many messages at once", async () => {
    const { id } = (await begin()).body.data;
    let posts = 0;
    await Promise.all(
      Array.from({ length: 8 }, () =>
        run(id, () => {
          posts++;
          return new Response("no", { status: 500 });
        }),
      ),
    );
    expect(posts).toBe(1);
  });

  test("four times is the end of the attempt", async () => {
    const { id } = (await begin()).body.data;
    for (let turn = 0; turn < 4; turn++) {
      expect(await claimChallenge(managed.db, id, `lease-${turn}`, new Date(nowMs))).not.toBeNull();
      moveOn(30_000);
    }
    await run(id, ok);
    expect(await read(id)).toMatchObject({ state: "failed", outcome: "attempts_exhausted", attempt_count: 4 });
  });

  test("leaves a queued attempt that a sweep finds, and that is taken away after seven days", async () => {
    const { id } = (await begin()).body.data;
    expect(await listOverdueAttempts(managed.db, new Date(nowMs + 5_000))).toEqual([]);
    expect(await listOverdueAttempts(managed.db, new Date(nowMs + 5_001))).toEqual([id]);
    moveOn(7 * 86_400_000 - 1);
    await pruneAttempts(managed.db, new Date(nowMs));
    expect((await read(id)).id).toBe(id);
    moveOn(1);
    expect((await owner.get(`${path()}/${id}`)).status).toBe(404);
    moveOn(1);
    await pruneAttempts(managed.db, new Date(nowMs));
    expect((await managed.db.execute("select from webhook_verification_attempts")).rows).toEqual([]);
  });
});

test("a secret that does not open is nobody's failure", async () => {
  const { id } = (await begin()).body.data;
  await managed.db.update(webhookEndpoints).set({ secretSealed: "v1.broken" });
  await run(id, ok);
  expect(await read(id)).toMatchObject({ state: "queued", outcome: "internal_error", attempt_count: 0 });
});
