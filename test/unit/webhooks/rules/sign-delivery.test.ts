import { createHmac } from "node:crypto";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, test } from "vitest";
import { generateSigningSecret, generateVerificationToken } from "../../../../src/webhooks/rules/generate-secret.ts";
import { signDelivery } from "../../../../src/webhooks/rules/sign-delivery.ts";
import { randomBytes } from "../../../support/random-bytes.ts";

const SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1ub3BxcnN0dXY";
const OTHER = generateSigningSecret(randomBytes);
const BODY =
  '{"id":"evt_1_7","type":"trader_synced","created_at":"2026-11-20T12:00:00.000Z","data":{"wallet":"0xé","trader_id":3}}';
const DELIVERY = { id: "evt_1_7", eventType: "trader_synced", deliveryId: "41", attempt: 2, body: BODY };

const sign = (secrets: readonly string[], nowMs: number = Date.now(), body: string = BODY) =>
  signDelivery({ ...DELIVERY, body }, { secrets, headerPrefix: "x-service", nowMs });

type Headers = Record<string, string>;

/** The verification recipe of the documentation, as a receiver implements it. */
function verifyOwn(headers: Headers, body: string | Buffer, secret: string): boolean {
  const message = Buffer.concat([Buffer.from(`${headers["x-service-timestamp"]}.`), Buffer.from(body)]);
  const expected = createHmac("sha256", secret).update(message).digest("hex");
  return (headers["x-service-signature"] ?? "").split(",").some((candidate) => candidate.trim() === `v1=${expected}`);
}

const passes = (verify: () => unknown): boolean => {
  try {
    verify();
    return true;
  } catch {
    return false;
  }
};

const RECEIVERS: [string, (headers: Headers, body: string | Buffer, secret: string) => boolean][] = [
  ["the documented recipe", verifyOwn],
  ["standardwebhooks", (headers, body, secret) => passes(() => new StandardWebhook(secret).verify(body, headers))],
  ["svix", (headers, body, secret) => passes(() => new SvixWebhook(secret).verify(body, headers))],
];

test("the headers of a delivery match those computed by openssl for this secret, body and second", async () => {
  // printf '1700000000.<body>' | openssl dgst -sha256 -hmac <secret>, and
  // printf 'evt_1_7.1700000000.<body>' | openssl dgst -sha256 -hmac 0123456789abcdefghijklmnopqrstuv -binary
  // | base64
  expect(await sign([SECRET], 1_700_000_000_999)).toEqual({
    "x-service-signature": "v1=088dc79c25359d944d710c55b7dd4819452e5f74f3c2169c2a698cb27c3f4db9",
    "x-service-timestamp": "1700000000",
    "x-service-event-id": "evt_1_7",
    "x-service-event-type": "trader_synced",
    "x-service-delivery-id": "41",
    "x-service-delivery-attempt": "2",
    "webhook-id": "evt_1_7",
    "webhook-timestamp": "1700000000",
    "webhook-signature": "v1,Yp7KABxeQhe/vE73vmSH9XfO08LhiElMWI9mxV1bpf4=",
  });
});

describe.for(RECEIVERS)("a receiver that verifies with %s", ([name, verify]) => {
  test(`a receiver with ${name} accepts a delivery signed with either secret of an overlap and no other`, async () => {
    const headers = await sign([SECRET, OTHER]);
    expect(verify(headers, BODY, SECRET)).toBe(true);
    expect(verify(headers, BODY, OTHER)).toBe(true);
    expect(verify(headers, BODY, generateSigningSecret(randomBytes))).toBe(false);
    expect(verify(await sign([OTHER]), BODY, SECRET)).toBe(false);
  });

  test(`a receiver with ${name} accepts a body of any text`, async () => {
    for (const body of ["", "{}", '{"a":"\\u0000\u2028€𝔊"}', JSON.stringify({ long: "x".repeat(100_000) })]) {
      // svix and standardwebhooks parse the body that they have verified.
      if (body === "" && verify !== verifyOwn) continue;
      expect(verify(await sign([SECRET], Date.now(), body), body, SECRET)).toBe(true);
    }
  });

  test(`a receiver with ${name} refuses a body with any one byte changed`, async () => {
    const headers = await sign([SECRET, OTHER]);
    const bytes = Buffer.from(BODY);
    const accepted = [];
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ (1 << (index % 7));
      if (verify(headers, changed, SECRET)) accepted.push(index);
    }
    expect(accepted).toEqual([]);
  });

  test(`a receiver with ${name} refuses a signature, timestamp or id with any one character changed`, async () => {
    const headers = await sign([SECRET]);
    const own = verify === verifyOwn;
    const accepted = [];
    const signed = own
      ? ["x-service-signature", "x-service-timestamp"]
      : ["webhook-signature", "webhook-timestamp", "webhook-id"];
    for (const header of signed) {
      const text = headers[header] ?? "";
      for (let index = 0; index < text.length; index++) {
        const changed = `${text.slice(0, index)}${text[index] === "1" ? "2" : "1"}${text.slice(index + 1)}`;
        if (verify({ ...headers, [header]: changed }, BODY, SECRET)) accepted.push(`${header} ${index}`);
      }
    }
    expect(accepted).toEqual([]);
  });
});

test("standardwebhooks and svix sign a body as we do", async () => {
  const nowMs = Date.parse("2026-11-20T12:00:00Z");
  const signature = (await sign([SECRET], nowMs))["webhook-signature"];
  expect(new StandardWebhook(SECRET).sign("evt_1_7", new Date(nowMs), BODY)).toBe(signature);
  expect(new SvixWebhook(SECRET).sign("evt_1_7", new Date(nowMs), BODY)).toBe(signature);
});

test("signing secrets have 32 bytes in characters that base64 and base64url share, and 1,000 of them are distinct", () => {
  const secrets = Array.from({ length: 1_000 }, () => generateSigningSecret(randomBytes));
  expect(new Set(secrets).size).toBe(1_000);
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9]{43}$/);
    expect(Buffer.from(secret.slice(6), "base64")).toEqual(Buffer.from(secret.slice(6), "base64url"));
    expect(Buffer.from(secret.slice(6), "base64")).toHaveLength(32);
  }
});

test("a signing secret consists of the bytes of the last draw", () => {
  // 0xfb begins with a plus in base64, so the first draw is discarded.
  const draws = [new Uint8Array(32).fill(0xfb), new Uint8Array(32).fill(0x69)];
  const secret = generateSigningSecret((bytes) => {
    bytes.set(draws.shift() ?? []);
    return bytes;
  });
  expect(Buffer.from(secret.slice(6), "base64")).toEqual(Buffer.alloc(32, 0x69));
});

test("a verification token is 16 bytes in hex", () => {
  expect(generateVerificationToken((bytes) => bytes.fill(0x0a))).toBe(`whv_${"0a".repeat(16)}`);
});
