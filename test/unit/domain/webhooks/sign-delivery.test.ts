import { createHmac } from "node:crypto";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, test } from "vitest";
import { makeSigningSecret, makeVerificationToken } from "../../../../src/domain/webhooks/make-secret.ts";
import { signDelivery } from "../../../../src/domain/webhooks/sign-delivery.ts";

const random = (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes);
const SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1ub3BxcnN0dXY";
const OTHER = makeSigningSecret(random);
const BODY = '{"id":"evt_1_7","type":"trader_synced","created_at":"2026-11-20T12:00:00.000Z","data":{"wallet":"0xé","trader_id":3}}';
const DELIVERY = { id: "evt_1_7", eventType: "trader_synced", deliveryId: "41", attempt: 2, body: BODY };

const sign = (secrets: readonly string[], nowMs: number = Date.now(), body: string = BODY) =>
  signDelivery({ ...DELIVERY, body }, { secrets, headerPrefix: "x-service", nowMs });

type Headers = Record<string, string>;

/** The recipe of the documentation, as a receiver writes it. */
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

test("a delivery has these headers, as reckoned by openssl for this secret, body and second", async () => {
  // printf '1700000000.<body>' | openssl dgst -sha256 -hmac <secret>, and
  // printf 'evt_1_7.1700000000.<body>' | openssl dgst -sha256 -hmac 0123456789abcdefghijklmnopqrstuv -binary | base64
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

describe.for(RECEIVERS)("a receiver that verifies with %s", ([, verify]) => {
  test("accepts what either secret of an overlap signed, and nobody else's", async () => {
    const headers = await sign([SECRET, OTHER]);
    expect(verify(headers, BODY, SECRET)).toBe(true);
    expect(verify(headers, BODY, OTHER)).toBe(true);
    expect(verify(headers, BODY, makeSigningSecret(random))).toBe(false);
    expect(verify(await sign([OTHER]), BODY, SECRET)).toBe(false);
  });

  test("accepts whatever text a body is made of", async () => {
    for (const body of ["", "{}", '{"a":"\\u0000\u2028€𝔊"}', JSON.stringify({ long: "x".repeat(100_000) })]) {
      // svix and standardwebhooks parse what they have verified.
      if (body === "" && verify !== verifyOwn) continue;
      expect(verify(await sign([SECRET], Date.now(), body), body, SECRET)).toBe(true);
    }
  });

  test("refuses a body with any one byte changed", async () => {
    const headers = await sign([SECRET, OTHER]);
    const bytes = Buffer.from(BODY);
    const accepted = [];
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 7));
      if (verify(headers, changed, SECRET)) accepted.push(at);
    }
    expect(accepted).toEqual([]);
  });

  test("refuses a signature, a timestamp or an id with any one character changed", async () => {
    const headers = await sign([SECRET]);
    const own = verify === verifyOwn;
    const accepted = [];
    const signed = own ? ["x-service-signature", "x-service-timestamp"] : ["webhook-signature", "webhook-timestamp", "webhook-id"];
    for (const name of signed) {
      const text = headers[name] ?? "";
      for (let at = 0; at < text.length; at++) {
        const changed = `${text.slice(0, at)}${text[at] === "1" ? "2" : "1"}${text.slice(at + 1)}`;
        if (verify({ ...headers, [name]: changed }, BODY, SECRET)) accepted.push(`${name} ${at}`);
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

test("1,000 secrets are each of 32 bytes, of characters that base64 and base64url share, and no two alike", () => {
  const secrets = Array.from({ length: 1_000 }, () => makeSigningSecret(random));
  expect(new Set(secrets).size).toBe(1_000);
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9]{43}$/);
    expect(Buffer.from(secret.slice(6), "base64")).toEqual(Buffer.from(secret.slice(6), "base64url"));
    expect(Buffer.from(secret.slice(6), "base64")).toHaveLength(32);
  }
});

test("a secret is the bytes that were drawn last, as they are", () => {
  // 0xfb is the byte that base64 begins with a plus for: the first draw is thrown away.
  const draws = [new Uint8Array(32).fill(0xfb), new Uint8Array(32).fill(0x69)];
  const secret = makeSigningSecret((bytes) => {
    bytes.set(draws.shift() ?? []);
    return bytes;
  });
  expect(Buffer.from(secret.slice(6), "base64")).toEqual(Buffer.alloc(32, 0x69));
});

test("a verification token is 16 bytes in hex", () => {
  expect(makeVerificationToken((bytes) => bytes.fill(0x0a))).toBe(`whv_${"0a".repeat(16)}`);
});
