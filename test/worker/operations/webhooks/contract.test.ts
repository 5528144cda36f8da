import { beforeEach, expect, test } from "vitest";
import { OPERATIONS } from "../../../../src/operations/index.ts";
import { ADDITIONS } from "../../../contract/additions.ts";
import { contractOperation, departures } from "../../../contract/contract.ts";
import type { KernelResponse } from "../../../support/kernel/open-kernel.ts";
import { someDeliveries } from "../../../support/seed/webhooks.ts";
import { openWebhookApi, type WebhookApi, type Owner } from "../../../support/webhooks/webhook-api.ts";

let managed: WebhookApi;
let owner: Owner;

beforeEach(async () => {
  managed = await openWebhookApi();
  owner = await managed.owner();
});

const WEBHOOKS = "/api/v1/webhooks";
const step = async (name: string) =>
  owner.send("POST", `${WEBHOOKS}/${(await owner.create()).id}/rotate-secret${name}`);

/** A successful request to each operation on an endpoint. */
const REQUESTS: Record<string, () => Promise<KernelResponse>> = {
  listWebhookEvents: () => owner.get(`${WEBHOOKS}/events`),
  createWebhook: () =>
    owner.send("POST", WEBHOOKS, { name: "a", url: "https://a.example.com/", event_types: ["export_job_ready"] }),
  listWebhooks: () => owner.get(WEBHOOKS),
  getWebhook: async () => owner.get(`${WEBHOOKS}/${(await owner.create()).id}`),
  updateWebhook: async () =>
    owner.send("PATCH", `${WEBHOOKS}/${(await owner.create()).id}`, { url: "https://b.example.com/" }),
  deleteWebhook: async () => owner.send("DELETE", `${WEBHOOKS}/${(await owner.create()).id}`),
  async verifyWebhook() {
    const { id, verification } = await owner.create();
    return owner.send("POST", `${WEBHOOKS}/${id}/verify`, { verification_token: verification.token });
  },
  async createWebhookVerificationAttempt() {
    const { id, verification } = await owner.create();
    return owner.send("POST", `${WEBHOOKS}/${id}/verification-attempts`, { verification_token: verification.token });
  },
  async getWebhookVerificationAttempt() {
    const begun = await REQUESTS["createWebhookVerificationAttempt"]?.();
    return owner.get(begun?.body.data.status_url);
  },
  rotateWebhookSecret: () => step(""),
  prepareWebhookSecret: () => step("/prepare"),
  async activateWebhookSecret() {
    const prepared = await step("/prepare");
    return owner.send("POST", `${WEBHOOKS}/${prepared.body.data.id}/rotate-secret/activate`);
  },
  retireWebhookSecret: () => step("/retire"),
  async listWebhookDeliveries() {
    const { id } = await owner.create();
    await someDeliveries(managed.db, String(id), 1, { createdAt: new Date() });
    return owner.get(`${WEBHOOKS}/${id}/deliveries`);
  },
  async redeliverWebhookDelivery() {
    const { id } = await owner.createActive();
    const [dead] = await someDeliveries(managed.db, String(id), 1, { status: "dead_letter", createdAt: new Date() });
    return owner.send("POST", `${WEBHOOKS}/${id}/deliveries/${dead}/redeliver`);
  },
};

test("every webhook operation of the contract has a request here", () => {
  const expected = OPERATIONS.filter(({ id, scope }) => scope === "webhooks" && !ADDITIONS.includes(id)).map(
    ({ id }) => id,
  );
  expect(Object.keys(REQUESTS).toSorted()).toEqual(expected.toSorted());
});

test.each(Object.entries(REQUESTS))("%s responds in the contract's shape", async (id, send) => {
  if (id === "listWebhooks") await owner.createActive();
  const [[status, success] = []] = Object.entries<{ object: string | null; response?: string }>(
    contractOperation(id).success,
  );
  const result = await send();
  expect({ status: result.status, object: result.body.object }).toEqual({
    status: Number(status),
    object: success?.object,
  });
  expect(departures(success?.response ?? "", result.body)).toEqual([]);
});

test("a webhook mutation accepts an Idempotency-Key exactly where the contract has one", () => {
  // All other writes of the contract have a key. Verification can be repeated as it is, and a test delivery
  // is meant to be repeated.
  const unkeyed = OPERATIONS.filter((operation) => operation.scope === "webhooks" && operation.method !== "get")
    .filter((operation) => operation.kind === "single" && operation.idempotent !== true)
    .map(({ id }) => id);
  expect(unkeyed.toSorted()).toEqual(["testWebhook", "verifyWebhook"]);
});
