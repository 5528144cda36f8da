import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Webhook } from "standardwebhooks";
import { accounts, webhookEndpoints } from "../../../../src/db/schema.ts";
import { decideAfterChallenge } from "../../../../src/webhooks/rules/verify-schedule.ts";
import { listOverdueAttempts, pruneAttempts } from "../../../../src/webhooks/delivery/sweep-attempts.ts";
import { claimChallenge } from "../../../../src/webhooks/verification/claim-challenge.ts";
import { recordChallenge } from "../../../../src/webhooks/verification/record-challenge.ts";
import { verifyReceiver, type VerifySettings } from "../../../../src/webhooks/verification/verify-receiver.ts";
import { departures } from "../../../contract/contract.ts";
import { someDeliveries } from "../../../support/seed/webhooks.ts";
import { hang, settingsFor, type ReceiverBehavior } from "../../../support/webhooks/drain-settings.ts";
import { openWebhookApi, webhookErrorOf, type WebhookApi, type Owner } from "../../../support/webhooks/webhook-api.ts";

const START = Date.parse("2031-03-05T12:00:00Z");

let managed: WebhookApi;
let owner: Owner;
let nowMs: number;
let endpoint: any;
let enqueued: { message: any; delaySeconds: number }[];

beforeEach(async () => {
  nowMs = START;
  vi.useFakeTimers({ toFake: ["Date"], now: nowMs });
  managed = await openWebhookApi();
  owner = await managed.owner();
  endpoint = await owner.create();
  enqueued = [];
});

afterEach(() => {
  vi.useRealTimers();
});

const moveOn = (ms: number) => vi.setSystemTime((nowMs += ms));
const path = () => `/api/v1/webhooks/${endpoint.id}/verification-attempts`;
const begin = (token = endpoint.verification.token) => owner.send("POST", path(), { verification_token: token });
const read = async (id: string) => (await owner.get(`${path()}/${id}`)).body.data;
const status = async () => (await owner.get(`/api/v1/webhooks/${endpoint.id}`)).body.data.status;
const settings = (respond: ReceiverBehavior, overrides: Partial<VerifySettings> = {}): VerifySettings => ({
  ...settingsFor(managed.db, respond, () => nowMs),
  enqueue: async (message, delaySeconds) => void enqueued.push({ message, delaySeconds }),
  ...overrides,
});
const run = (id: string, respond: ReceiverBehavior, overrides: Partial<VerifySettings> = {}) =>
  verifyReceiver(id, settings(respond, overrides));
const ok: ReceiverBehavior = () => new Response();
const no: ReceiverBehavior = () => new Response("no", { status: 500 });

describe("a verification attempt", () => {
  test("an attempt is queued at once, enqueued for verification and readable at its status_url", async () => {
    const begun = await begin();
    expect(begun.status).toBe(202);
    expect(departures("WebhookVerificationAttemptResponse", begun.body)).toEqual([]);
    const { id } = begun.body.data;
    expect(begun.body.data).toEqual({
      ...{
        id,
        object: "webhook_verification_attempt",
        webhook_id: endpoint.id,
        state: "queued",
        outcome: null,
        attempt_count: 0,
        max_attempts: 4,
      },
      ...{
        expires_at: "2031-03-05T12:15:00.000Z",
        next_attempt_at: "2031-03-05T12:00:00.000Z",
        last_response_status: null,
      },
      ...{
        started_at: null,
        completed_at: null,
        created_at: "2031-03-05T12:00:00.000Z",
        updated_at: "2031-03-05T12:00:00.000Z",
      },
      status_url: `${path()}/${id}`,
    });
    expect((await owner.get(begun.body.data.status_url)).body.data).toEqual(begun.body.data);
    expect(managed.messages).toEqual([
      { kind: "verify_receiver", attempt_id: id, request_id: expect.stringMatching(/^req_/) },
    ]);
    expect(begun.text).not.toContain(endpoint.verification.token);
  });

  test("concurrent requests create one attempt", async () => {
    const responses = await Promise.all(Array.from({ length: 10 }, () => begin()));
    expect(new Set(responses.map(({ body }) => body.data.id)).size).toBe(1);
  });

  test("an attempt posts a signed challenge, and a 2xx activates the endpoint and makes waiting deliveries due", async () => {
    await someDeliveries(managed.db, String(endpoint.id), 1, { nextAttemptAt: new Date(nowMs + 60_000) });
    const { id } = (await begin()).body.data;
    const seen: any[] = [];
    await run(id, ({ url, headers, body }) => {
      seen.push({ url, ...Object.fromEntries(headers), ...JSON.parse(body) });
      new Webhook(endpoint.signing_secret).verify(body, Object.fromEntries(headers));
      return new Response("x".repeat(100_000), { status: 200 });
    });
    expect(seen).toEqual([
      expect.objectContaining({
        ...{
          url: endpoint.url,
          type: "webhook.verification",
          token: endpoint.verification.token,
          webhook_id: endpoint.id,
        },
        ...{ "x-service-event-type": "webhook.verification", "x-service-verification-attempt": "1" },
        "x-service-signature": expect.stringMatching(/^v1=[0-9a-f]{64}$/),
      }),
    ]);
    expect(await read(id)).toMatchObject({
      state: "verified",
      outcome: "verified",
      attempt_count: 1,
      last_response_status: 200,
    });
    expect(await status()).toBe("active");
    expect(enqueued).toEqual([
      { message: { kind: "wake_endpoint", endpoint_id: String(endpoint.id) }, delaySeconds: 0 },
    ]);
    expect(webhookErrorOf(await begin())).toEqual({ status: 409, reason: null, param: "endpoint" });
  });

  test("an attempt does not wait for the response body", async () => {
    const { id } = (await begin()).body.data;
    await run(id, () => new Response(new ReadableStream({ pull: () => new Promise<never>(() => undefined) })));
    expect(await read(id)).toMatchObject({ state: "verified" });
  });

  test("an attempt posts four challenges at most, 5, 15 and 45 seconds apart, and then fails", async () => {
    const { id } = (await begin()).body.data;
    const seen: object[] = [];
    for (const wait of [5, 15, 45, null]) {
      await run(id, no);
      const attempt = await read(id);
      seen.push(attempt);
      expect(
        departures("WebhookVerificationAttemptResponse", {
          object: "webhook_verification_attempt",
          data: attempt,
          meta: {},
        }).filter((departure) => !departure.startsWith("/meta")),
      ).toEqual([]);
      const next = wait === null ? null : new Date(nowMs + wait * 1000).toISOString();
      expect(attempt).toMatchObject({ next_attempt_at: next, last_response_status: 500 });
      expect(enqueued.splice(0)).toEqual(
        wait === null ? [] : [{ message: { kind: "verify_receiver", attempt_id: id }, delaySeconds: wait }],
      );
      // An early or repeated message does nothing.
      moveOn((wait ?? 0) * 1000 - 1);
      await run(id, ok);
      expect(await read(id)).toEqual(attempt);
      moveOn(1);
    }
    expect(seen).toMatchObject([
      ...[1, 2, 3].map((count) => ({
        state: "queued",
        outcome: "receiver_rejected",
        attempt_count: count,
        completed_at: null,
      })),
      { state: "failed", outcome: "attempts_exhausted", attempt_count: 4, completed_at: expect.any(String) },
    ]);
    expect(await status()).toBe("pending_verification");
    expect((await begin()).body.data.id).not.toBe(id);
  });

  test.each([
    [
      "redirects",
      () => new Response(null, { status: 307, headers: { location: "https://10.0.0.1/" } }),
      "receiver_rejected",
      307,
    ],
    ["drops the connection", () => Promise.reject(new Error("reset")), "transport_failed", null],
  ])("an attempt is retried when the receiver %s", async (_, respond, outcome, responseStatus) => {
    const { id } = (await begin()).body.data;
    await run(id, respond);
    expect(await read(id)).toMatchObject({ state: "queued", outcome, last_response_status: responseStatus });
  });

  test("an attempt is retried when the receiver does not respond in time", async () => {
    const { id } = (await begin()).body.data;
    await run(id, hang, { challengeTimeoutMs: 20 });
    expect(await read(id)).toMatchObject({ state: "queued", outcome: "challenge_timeout" });
  });

  test("an attempt fails at once without a post when the host resolves to an address that is not public", async () => {
    const { id } = (await begin()).body.data;
    const resolver = { resolve: async () => ({ kind: "addresses", addresses: ["10.0.0.1"] }) as const };
    const posted = vi.fn(ok);
    await run(id, posted, { policy: { resolver, allowLoopback: false } });
    expect(await read(id)).toMatchObject({ state: "failed", outcome: "target_rejected", last_response_status: null });
    expect(posted).not.toHaveBeenCalled();
  });

  test("an attempt does not count a challenge that an internal failure prevented", async () => {
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

  test("an attempt expires with its token or after fifteen minutes", async () => {
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
    expect(webhookErrorOf(await begin())).toEqual({ status: 400, reason: null, param: "verification_token" });
  });

  test("an attempt is cancelled by a change of the endpoint, also during the challenge", async () => {
    const { id } = (await begin()).body.data;
    await run(id, async () => {
      await owner.send("PATCH", `/api/v1/webhooks/${endpoint.id}`, { url: "https://other.example.com/" });
      return new Response();
    });
    expect(await read(id)).toMatchObject({ state: "cancelled", outcome: "endpoint_changed" });
    expect(await status()).toBe("pending_verification");
  });

  test.each([
    [
      "verified by its token",
      () =>
        owner.send("POST", `/api/v1/webhooks/${endpoint.id}/verify`, {
          verification_token: endpoint.verification.token,
        }),
    ],
    ["disabled", () => owner.send("PATCH", `/api/v1/webhooks/${endpoint.id}`, { enabled: false })],
  ])("an attempt is cancelled when the endpoint is %s", async (_, change) => {
    const { id } = (await begin()).body.data;
    expect((await change()).status).toBe(200);
    await run(id, ok);
    expect(await read(id)).toMatchObject({ state: "cancelled", outcome: "endpoint_changed", next_attempt_at: null });
  });

  test("an attempt is cancelled when the account may no longer use webhooks", async () => {
    const { id } = (await begin()).body.data;
    await managed.db.update(accounts).set({ state: "lapsed" });
    await run(id, ok);
    await managed.db.update(accounts).set({ state: "active" });
    expect(await read(id)).toMatchObject({ state: "cancelled", outcome: "owner_revoked" });
  });

  test("an attempt with another token is refused", async () => {
    expect(webhookErrorOf(await begin(`whv_${"0".repeat(32)}`))).toEqual({
      status: 400,
      reason: null,
      param: "verification_token",
    });
    expect(managed.messages).toEqual([]);
  });
});

describe("repeated and dead workers", () => {
  test("a worker whose lease has ended is replaced, and its late response changes nothing", async () => {
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

  test("a worker cannot activate the endpoint with a response that arrives during its successor's challenge", async () => {
    const { id } = (await begin()).body.data;
    const dead = await claimChallenge(managed.db, id, "dead", new Date(nowMs));
    moveOn(30_000);
    expect(await claimChallenge(managed.db, id, "successor", new Date(nowMs))).not.toBeNull();
    const accepted = decideAfterChallenge({ kind: "accepted", status: 200 }, 1);
    expect(await recordChallenge(managed.db, dead as NonNullable<typeof dead>, accepted, new Date(nowMs))).toBeNull();
    expect(await read(id)).toMatchObject({ state: "running", attempt_count: 2, last_response_status: null });
    expect(await status()).toBe("pending_verification");
  });

  test("one of many concurrent messages posts a challenge", async () => {
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

  test("four workers that die end the attempt", async () => {
    const { id } = (await begin()).body.data;
    for (let turn = 0; turn < 4; turn++) {
      expect(await claimChallenge(managed.db, id, `lease-${turn}`, new Date(nowMs))).not.toBeNull();
      moveOn(30_000);
    }
    await run(id, ok);
    expect(await read(id)).toMatchObject({ state: "failed", outcome: "attempts_exhausted", attempt_count: 4 });
  });

  test("a sweep finds a queued attempt, and a prune deletes it after seven days", async () => {
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

test("a secret that cannot be decrypted is not counted as a failure", async () => {
  const { id } = (await begin()).body.data;
  await managed.db.update(webhookEndpoints).set({ secretSealed: "v1.broken" });
  await run(id, ok);
  expect(await read(id)).toMatchObject({ state: "queued", outcome: "internal_error", attempt_count: 0 });
});
