import { sql } from "drizzle-orm";
import { beforeEach, afterEach, describe, expect, test, vi } from "vitest";
import { webhookDeliveries, webhookEndpoints } from "../../../../src/db/schema.ts";
import {
  decideRotation,
  rotationStatus,
  type EndpointSecrets,
  type RotationStep,
} from "../../../../src/webhooks/rules/secret-rotation.ts";
import { signingSecrets } from "../../../support/oracles/signing-secrets.ts";
import { openEndpointSecret } from "../../../../src/lib/crypto/endpoint-secrets.ts";
import { findSigningSecrets } from "../../../../src/queries/webhooks/find-endpoint.ts";
import { claimDeliveries } from "../../../../src/webhooks/delivery/claim-deliveries.ts";
import { departures } from "../../../contract/contract.ts";
import { CREDENTIAL_SECRET, someDeliveries } from "../../../support/seed/webhooks.ts";
import { openWebhookApi, webhookErrorOf, type WebhookApi, type Owner } from "../../../support/webhooks/webhook-api.ts";
import { HOUR_MS } from "../../../../src/scoring/utc-calendar.ts";

let managed: WebhookApi;
let owner: Owner;
let nowMs: number;

beforeEach(async () => {
  nowMs = Date.parse("2031-03-05T12:00:00Z");
  vi.useFakeTimers({ toFake: ["Date"], now: nowMs });
  managed = await openWebhookApi();
  owner = await managed.owner();
});

afterEach(() => {
  vi.useRealTimers();
});

const moveOn = (ms: number) => vi.setSystemTime((nowMs += ms));
const step = (id: number, name: string, headers: Record<string, string> = {}) =>
  owner.send("POST", `/api/v1/webhooks/${id}/rotate-secret${name}`, undefined, headers);

/** The secrets that sign a delivery that begins now. */
async function signingSecretsOf(id: number): Promise<string[]> {
  const signing = await findSigningSecrets(managed.db, { accountId: owner.accountId, id }, new Date(nowMs));
  const own = { accountId: owner.accountId, credentialKeys: { current: CREDENTIAL_SECRET, previous: [] } };
  return Promise.all((signing?.secrets ?? []).map((sealed) => openEndpointSecret("signing secret", sealed, own)));
}

const startDelivery = (id: number) =>
  someDeliveries(managed.db, String(id), 1, {
    ...{ status: "processing", nextAttemptAt: null, lease: "l", leaseUntil: new Date(nowMs + 20_000) },
  });

describe("rotation", () => {
  test("a rotation leaves only the new secret and drops a prepared one and an overlap", async () => {
    const { id, signing_secret: first } = await owner.createActive();
    await step(id, "/prepare");
    const rotated = await step(id, "");
    expect(departures("WebhookResponse", rotated.body)).toEqual([]);
    const second = rotated.body.data.signing_secret;
    expect(second).toMatch(/^whsec_[A-Za-z0-9]{43}$/);
    expect(second).not.toBe(first);
    expect(rotated.body.data.secret_rotation).toEqual({ status: "idle", overlap_expires_at: null });
    expect(await signingSecretsOf(id)).toEqual([second]);
    await step(id, "/prepare");
    await step(id, "/activate");
    const third = (await step(id, "")).body.data.signing_secret;
    expect(await signingSecretsOf(id)).toEqual([third]);
  });

  test("a rotation during a delivery is refused until that delivery's lease ends", async () => {
    const { id, signing_secret: secret } = await owner.createActive();
    await startDelivery(id);
    expect(webhookErrorOf(await step(id, ""))).toEqual({
      status: 409,
      reason: "webhook_delivery_in_progress",
      param: "endpoint",
    });
    expect(await signingSecretsOf(id)).toEqual([secret]);
    moveOn(20_000);
    expect((await step(id, "")).status).toBe(200);
  });

  test("a rotation happens once for an Idempotency-Key", async () => {
    const { id } = await owner.createActive();
    const again = async () => (await step(id, "", { "idempotency-key": "k" })).body.data.signing_secret;
    expect(new Set([await again(), await again()]).size).toBe(1);
    expect(await signingSecretsOf(id)).toEqual([await again()]);
  });
});

describe("planned rotation", () => {
  test("a planned rotation has one staged secret, an hour with both secrets and then only the new one", async () => {
    const { id, signing_secret: first } = await owner.createActive();
    const prepared = await Promise.all(Array.from({ length: 8 }, () => step(id, "/prepare")));
    const secrets = new Set(prepared.map(({ body }) => body.data.signing_secret));
    expect(secrets.size).toBe(1);
    const [second] = secrets;
    expect(prepared[0]?.body.data.secret_rotation).toEqual({ status: "pending", overlap_expires_at: null });
    expect(departures("WebhookResponse", prepared[0]?.body)).toEqual([]);
    expect(await signingSecretsOf(id)).toEqual([first]);
    const activated = await step(id, "/activate");
    expect(departures("WebhookResponse", activated.body)).toEqual([]);
    expect(activated.body.data).toMatchObject({
      signing_secret: second,
      secret_rotation: { status: "overlap", overlap_expires_at: "2031-03-05T13:00:00.000Z" },
    });
    expect(await signingSecretsOf(id)).toEqual([second, first]);
    moveOn(HOUR_MS - 1);
    expect(await signingSecretsOf(id)).toEqual([second, first]);
    for (const name of ["/prepare", "/activate"]) {
      const refused = { status: 409, reason: "webhook_secret_rotation_overlap_active", param: "secret_rotation" };
      expect(webhookErrorOf(await step(id, name))).toEqual(refused);
    }
    moveOn(1);
    expect(await signingSecretsOf(id)).toEqual([second]);
    const read = (await owner.get(`/api/v1/webhooks/${id}`)).body.data;
    expect(read.secret_rotation).toEqual({ status: "idle", overlap_expires_at: null });
    expect(read).not.toHaveProperty("signing_secret");
    expect(webhookErrorOf(await step(id, "/activate"))).toEqual({
      ...{ status: 409, reason: "webhook_secret_rotation_not_prepared", param: "secret_rotation" },
    });
    expect((await step(id, "/prepare")).status).toBe(200);
  });

  test("retiring ends the overlap early, shows no secret and can be repeated", async () => {
    const { id } = await owner.createActive();
    const second = (await step(id, "/prepare")).body.data.signing_secret;
    await step(id, "/activate");
    await startDelivery(id);
    const [retired, again] = [await step(id, "/retire"), await step(id, "/retire")];
    expect(departures("WebhookResponse", retired.body)).toEqual([]);
    expect(retired.body.data).not.toHaveProperty("signing_secret");
    expect(again.body.data).toEqual(retired.body.data);
    expect(retired.body.data.secret_rotation).toEqual({ status: "idle", overlap_expires_at: null });
    expect(await signingSecretsOf(id)).toEqual([second]);
  });

  test("activation is refused during a delivery", async () => {
    const { id, signing_secret: first } = await owner.createActive();
    await step(id, "/prepare");
    await startDelivery(id);
    expect(webhookErrorOf(await step(id, "/activate"))).toEqual({
      status: 409,
      reason: "webhook_delivery_in_progress",
      param: "endpoint",
    });
    expect(await signingSecretsOf(id)).toEqual([first]);
    await managed.db.update(webhookDeliveries).set({ status: "delivered", lease: null, leaseUntil: null });
    expect((await step(id, "/activate")).status).toBe(200);
  });

  test("the hour of overlap begins at the activation, after any wait for a delivery", async () => {
    const { id } = await owner.createActive();
    await step(id, "/prepare");
    await startDelivery(id);
    managed.hold = async () => {
      moveOn(2_500);
      await managed.db.update(webhookDeliveries).set({ status: "delivered", lease: null, leaseUntil: null });
    };
    const activated = await step(id, "/activate");
    expect(activated.body.data.secret_rotation).toEqual({
      status: "overlap",
      overlap_expires_at: "2031-03-05T13:00:02.500Z",
    });
  });

  test("one of many concurrent activations succeeds", async () => {
    const { id, signing_secret: first } = await owner.createActive();
    const second = (await step(id, "/prepare")).body.data.signing_secret;
    const responses = await Promise.all(Array.from({ length: 8 }, () => step(id, "/activate")));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 409)]);
    expect(await signingSecretsOf(id)).toEqual([second, first]);
  });
});

test.each(["", "/activate"])(
  "rotate-secret%s is refused while deliveries begin between its reads and its writes",
  async (name) => {
    const { id, signing_secret: first } = await owner.createActive();
    await step(id, "/prepare");
    await managed.db.execute(
      sql`create function refuse_write() returns trigger language plpgsql as 'begin return null; end'`,
    );
    await managed.db.execute(sql`create trigger refuse_write before update of secret_sealed on webhook_endpoints
      for each row execute function refuse_write()`);
    expect(webhookErrorOf(await step(id, name))).toEqual({
      status: 409,
      reason: "webhook_delivery_in_progress",
      param: "endpoint",
    });
    expect(await signingSecretsOf(id)).toEqual([first]);
    await managed.db.execute(sql`drop function refuse_write cascade`);
    expect((await step(id, name)).status).toBe(200);
  },
);

test("no secret appears in a later response, in the log or readable in the database", async () => {
  const { id, signing_secret: first, verification } = await owner.createActive();
  const secrets = [first, verification.token];
  for (const name of ["/prepare", "/activate", ""]) secrets.push((await step(id, name)).body.data.signing_secret);
  await someDeliveries(managed.db, String(id), 2, { createdAt: new Date(nowMs) });
  const attempt = { verification_token: verification.token };
  const responses = [
    await owner.get("/api/v1/webhooks"),
    await owner.get(`/api/v1/webhooks/${id}`),
    await owner.get(`/api/v1/webhooks/${id}/deliveries`),
    await owner.send("PATCH", `/api/v1/webhooks/${id}`, { name: "new" }),
    await owner.send("POST", `/api/v1/webhooks/${id}/verify`, attempt),
    await owner.send("POST", `/api/v1/webhooks/${id}/verification-attempts`, attempt),
    await owner.send("POST", `/api/v1/webhooks/${id}/test-delivery`),
    await step(id, "/retire"),
    await owner.send("DELETE", `/api/v1/webhooks/${id}`),
  ];
  const stored = JSON.stringify(await managed.db.select().from(webhookEndpoints));
  const texts = [...responses.map(({ text }) => text), managed.logged(), stored, JSON.stringify(managed.messages)];
  for (const secret of secrets) {
    expect(secret).toMatch(/^(whsec|whv)_\w{32,43}$/);
    for (const text of texts) expect(text).not.toContain(secret.replace(/^wh\w+_/, ""));
  }
});

test("the database takes the same rotation steps as decideRotation", async () => {
  const { id, signing_secret: first } = await owner.createActive();
  let secrets: EndpointSecrets = { secret: first, staged: null, previous: null, overlapEndsAtMs: null };
  let seed = 20_261_121;
  const random = () => (seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff) / 0x80000000;
  const names = { prepare: "/prepare", activate: "/activate", retire: "/retire", rotate: "" } as const;
  const kinds = ["prepare", "activate", "activate", "prepare", "retire", "rotate"] as const;
  const reasons = {
    ...{
      not_prepared: "webhook_secret_rotation_not_prepared",
      overlap_active: "webhook_secret_rotation_overlap_active",
    },
    delivery_in_progress: "webhook_delivery_in_progress",
  };
  const seen = new Set<string>();
  for (let turn = 0; turn < 150; turn++) {
    moveOn(Math.floor(random() * (random() < 0.3 ? HOUR_MS : 5_000)));
    const isBusy = random() < 0.3;
    await managed.db.delete(webhookDeliveries);
    if (isBusy) await startDelivery(id);
    const kind = kinds[Math.floor(random() * kinds.length)] ?? "retire";
    const response = await step(id, names[kind]);
    const shownSecret = response.body.data?.signing_secret ?? null;
    // decideRotation draws the secret that the response showed.
    const rotationStep: RotationStep =
      kind === "prepare" || kind === "rotate" ? { kind, fresh: shownSecret ?? "refused" } : { kind };
    const decision = decideRotation(secrets, rotationStep, nowMs, isBusy);
    seen.add(`${kind} ${decision.kind}`);
    const isSettled = decision.kind === "settled";
    if (isSettled) ({ secrets } = decision);
    const expected = isSettled
      ? { status: 200, shownSecret: decision.shown, reason: null, rotation: rotationStatus(secrets, nowMs) }
      : { status: 409, shownSecret: null, reason: reasons[decision.kind], rotation: null };
    const rotation = response.body.data?.secret_rotation.status ?? null;
    expect({
      turn,
      kind,
      ...{ status: response.status, shownSecret, reason: response.body.error?.reason ?? null, rotation },
    }).toEqual({
      turn,
      kind,
      ...expected,
    });
    expect(await signingSecretsOf(id)).toEqual(signingSecrets(secrets, nowMs));
  }
  expect([...seen].toSorted()).toEqual([
    ...["activate delivery_in_progress", "activate not_prepared", "activate overlap_active", "activate settled"],
    ...["prepare overlap_active", "prepare settled", "retire settled", "rotate delivery_in_progress", "rotate settled"],
  ]);
});

test("no delivery begins with a rotated secret, whichever statement runs first", async () => {
  vi.useRealTimers();
  const { id } = await owner.createActive();
  for (let turn = 0; turn < 25; turn++) {
    await managed.db.delete(webhookDeliveries);
    await someDeliveries(managed.db, String(id), 4, { nextAttemptAt: new Date(Date.now() - 1_000) });
    const claims = Array.from({ length: 3 }, (_, n) =>
      claimDeliveries(managed.db, String(id), { started: 0, prefetch: 0 }, `lease-${n}`, new Date()),
    );
    const [rotated, ...claimed] = await Promise.all([step(id, ""), ...claims]);
    const begun = claimed.flatMap((claim) =>
      claim === null || claim.deliveries.length === 0 ? [] : [claim.endpoint.secretsSealed],
    );
    const [row] = await managed.db.select().from(webhookEndpoints);
    // After the rotation, deliveries begin with the new secret. Otherwise it was refused, and the current
    // secret signs all.
    for (const sealed of begun)
      expect({ turn, status: rotated?.status, sealed }).toEqual({
        turn,
        status: rotated?.status,
        sealed: [row?.secretSealed],
      });
  }
});
