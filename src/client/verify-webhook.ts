import { ClientError } from "./api-error.ts";
import type { webhooks } from "./generated/openapi-types.ts";
import { concatBytes, fromHex } from "./proofs/sha256.ts";
import { objectOf, parseJson } from "./read-error.ts";

type BodyOf<Type extends keyof webhooks> = webhooks[Type] extends { post: infer Post }
  ? Post extends { requestBody: { content: { "application/json": infer Body } } }
    ? Body
    : never
  : never;

/** The body of a delivery; `type` tells which event it is. */
export type WebhookEvent = { [Type in keyof webhooks]: BodyOf<Type> }[keyof webhooks];
export type WebhookProblem = "missing_header" | "invalid_timestamp" | "stale" | "wrong_signature" | "invalid_body";

/** A request that is not a delivery of the endpoint. Respond with 400 and do nothing. */
export class WebhookVerificationError extends ClientError {
  override name = "WebhookVerificationError";
  readonly problem: WebhookProblem;
  constructor(problem: WebhookProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

export interface Delivery {
  /** The body as received, byte for byte: a parsed and printed body has another signature. */
  readonly body: string | Uint8Array;
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The endpoint's signing secret; during a rotation both. */
  readonly secrets: string | readonly string[];
  /** Default `x-service`. */
  readonly headerPrefix?: string;
  /** Default 300 s. */
  readonly toleranceMs?: number;
  readonly nowMs?: number;
}

const encoder = new TextEncoder();

/** Checks signature and time of a delivery. @throws WebhookVerificationError */
export async function verifyWebhook(delivery: Delivery): Promise<WebhookEvent> {
  const { headerPrefix = "x-service", toleranceMs = 300_000, nowMs = Date.now() } = delivery;
  const [signatures, timestamp] = [`${headerPrefix}-signature`, `${headerPrefix}-timestamp`].map((name) =>
    headerOf(delivery.headers, name),
  );
  if (signatures == null || timestamp == null)
    throw new WebhookVerificationError("missing_header", `the request has no ${headerPrefix}-signature or -timestamp`);
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookVerificationError("invalid_timestamp", "the timestamp is not in Unix seconds");
  if (Math.abs(nowMs - Number(timestamp) * 1000) > toleranceMs)
    throw new WebhookVerificationError("stale", "the request was signed at another time");
  const body = typeof delivery.body === "string" ? encoder.encode(delivery.body) : delivery.body;
  const signed = concatBytes(encoder.encode(`${timestamp}.`), body);
  const secrets = typeof delivery.secrets === "string" ? [delivery.secrets] : delivery.secrets;
  const results = await Promise.all(
    secrets.flatMap((secret) => signaturesOf(signatures).map((signature) => isSignedBy(secret, signature, signed))),
  );
  if (!results.includes(true)) throw new WebhookVerificationError("wrong_signature", "no signature matches");
  const event = objectOf(parseJson(new TextDecoder().decode(body)));
  if (typeof event["id"] !== "string" || typeof event["type"] !== "string")
    throw new WebhookVerificationError("invalid_body", "the body is no event");
  // Signed by the server, whose document the type derives from; a new field must not be refused.
  return event as unknown as WebhookEvent;
}

/** The `v1` signatures of a header; others are of schemes that this client does not know. */
const signaturesOf = (header: string): Uint8Array<ArrayBuffer>[] =>
  header.split(",").flatMap((part) => {
    const [, hex] = /^v1=([0-9a-f]{64})$/.exec(part.trim()) ?? [];
    return hex === undefined ? [] : [fromHex(hex)];
  });

/** `verify` of Web Crypto compares in constant time. */
async function isSignedBy(secret: string, signature: BufferSource, signed: BufferSource): Promise<boolean> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["verify"]);
  return crypto.subtle.verify("HMAC", key, signature, signed);
}

function headerOf(headers: Delivery["headers"], name: string): string | null {
  if (headers instanceof Headers) return headers.get(name);
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === "string" ? value : (value?.join(",") ?? null);
}
