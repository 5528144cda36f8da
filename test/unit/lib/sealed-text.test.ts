import { createCipheriv, createHmac, createDecipheriv, hkdfSync } from "node:crypto";
import { expect, test } from "vitest";
import { keyIdOf } from "../../../src/lib/crypto/key-ring.ts";
import { describeSealing, openSealedText, sealText } from "../../../src/lib/crypto/sealed-text.ts";
import { randomBytes } from "../../support/random-bytes.ts";

const SECRET = "a secret of 32 characters or more";
const ring = (current: string, ...previous: string[]) => ({ current, previous });
const SEALING_KEY = { keys: ring(SECRET), purpose: "tests" };
/** RFC 5869, A.3: SHA-256, a secret of 22 bytes 0x0b, no salt, no info. The first 32 bytes of its 42. */
const RFC_SECRET = "\x0b".repeat(22);
const RFC_KEY = Buffer.from("8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d", "hex");

const textOf = (sealed: string) => sealed.slice(sealed.lastIndexOf(".") + 1);

/** Opens both formats with node:crypto: after the last dot, base64url of nonce (12), ciphertext, tag (16). */
function openByNode(sealed: string, belongsTo: string, key: Buffer): string {
  const bytes = Buffer.from(textOf(sealed), "base64url");
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12));
  decipher.setAAD(Buffer.from(belongsTo)).setAuthTag(bytes.subarray(-16));
  return decipher.update(bytes.subarray(12, -16), undefined, "utf8") + decipher.final("utf8");
}

function sealByNode(text: string, belongsTo: string, key: Buffer): string {
  const nonce = Buffer.from("cafebabefacedbaddecaf888", "hex");
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(belongsTo));
  const sealed = Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
  return `v1.${sealed.toString("base64url")}`;
}

test.for([
  { size: "no characters", text: "" },
  { size: "ASCII characters", text: "plain" },
  { size: "all kinds of characters", text: "\ufeffé😀\0" },
  { size: "a million characters", text: "x".repeat(1_000_000) },
])("a sealed text of $size opens again, with our code and with node:crypto and the RFC's key", async ({ text }) => {
  const sealedWith = { keys: ring(RFC_SECRET), purpose: "" };
  const sealed = await sealText(text, "of ключ", sealedWith, randomBytes);
  expect(sealed).toMatch(/^v2\.[0-9a-f]{8}\.[A-Za-z0-9_-]+$/);
  expect(await openSealedText(sealed, "of ключ", sealedWith)).toBe(text);
  expect(openByNode(sealed, "of ключ", RFC_KEY)).toBe(text);
  expect(await openSealedText(sealByNode(text, "of ключ", RFC_KEY), "of ключ", sealedWith)).toBe(text);
});

test("the sealing key is HKDF-SHA-256 of the secret with the purpose as info", async () => {
  const key = Buffer.from(hkdfSync("sha256", SECRET, "", SEALING_KEY.purpose, 32));
  expect(openByNode(await sealText("text", "a", SEALING_KEY, randomBytes), "a", key)).toBe("text");
});

test("the nonce of a sealed text comes from the random source", async () => {
  const sealed = await sealText("text", "a", SEALING_KEY, (bytes) => bytes.fill(7));
  expect(Buffer.from(textOf(sealed), "base64url").subarray(0, 12)).toEqual(Buffer.alloc(12, 7));
});

test("sealing the same text twice gives different nonces", async () => {
  const sealed = await Promise.all(Array.from({ length: 100 }, () => sealText("text", "a", SEALING_KEY, randomBytes)));
  expect(new Set(sealed.map((one) => textOf(one).slice(0, 16))).size).toBe(100);
});

test.for([
  ["with another secret", "a", { ...SEALING_KEY, keys: ring(`${SECRET}!`) }],
  ["for another purpose", "a", { ...SEALING_KEY, purpose: "other tests" }],
  ["for another owner", "b", SEALING_KEY],
] as const)("a sealed text does not open %s", async ([, belongsTo, sealedWith]) => {
  const sealed = await sealText("text", "a", SEALING_KEY, randomBytes);
  expect(await openSealedText(sealed, belongsTo, sealedWith)).toBeNull();
});

test("a sealed text does not open once any of its bits has changed", async () => {
  const sealed = await sealText("text", "a", SEALING_KEY, randomBytes);
  const start = sealed.slice(0, -textOf(sealed).length);
  const bytes = Buffer.from(textOf(sealed), "base64url");
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(await openSealedText(start + changed.toString("base64url"), "a", SEALING_KEY)).toBeNull();
  }
});

test("a text of any length that was not sealed does not open", async () => {
  const sealed = await sealText("text", "a", SEALING_KEY, randomBytes);
  for (let length = 0; length < sealed.length; length++)
    expect(await openSealedText(sealed.slice(0, length), "a", SEALING_KEY)).toBeNull();
  for (const other of [
    "text",
    textOf(sealed),
    `v2.${textOf(sealed)}`,
    `v3${sealed.slice(2)}`,
    `${sealed}=`,
    `${sealed} `,
    "v1.é",
  ]) {
    expect(await openSealedText(other, "a", SEALING_KEY)).toBeNull();
  }
});

test("the id of a secret is the start of its HMAC of a fixed text", async () => {
  const expected = createHmac("sha256", SECRET).update("key id").digest("hex").slice(0, 8);
  expect(await keyIdOf(SECRET)).toBe(expected);
  expect(await sealText("text", "a", SEALING_KEY, randomBytes)).toContain(`v2.${expected}.`);
});

test("after a rotation new texts are sealed with the current secret, and texts of earlier secrets still open", async () => {
  const next = "the next secret of 32 characters or more";
  const rotated = { keys: ring(next, "another earlier secret of 32 characters", SECRET), purpose: "tests" };
  const old = await sealText("text", "a", SEALING_KEY, randomBytes);
  const before = sealByNode("text", "a", Buffer.from(hkdfSync("sha256", SECRET, "", "tests", 32)));
  expect(await openSealedText(old, "a", rotated)).toBe("text");
  expect(await openSealedText(before, "a", rotated)).toBe("text");
  const fresh = await sealText("text", "a", rotated, randomBytes);
  expect(fresh).toContain(`v2.${await keyIdOf(next)}.`);
  expect(await openSealedText(fresh, "a", SEALING_KEY)).toBeNull();
});

test("a text of a removed secret says which key is missing; one of a configured secret does not", async () => {
  const sealed = await sealText("text", "a", SEALING_KEY, randomBytes);
  expect(await describeSealing(sealed, ring("the next secret of 32 characters or more"))).toBe(
    `it is sealed with the key ${await keyIdOf(SECRET)}, which is neither CREDENTIAL_SECRET nor in CREDENTIAL_SECRET_PREVIOUS`,
  );
  expect(await describeSealing(sealed, ring(SECRET))).toBe(
    "it is sealed for another record, or CREDENTIAL_SECRET has changed",
  );
});
