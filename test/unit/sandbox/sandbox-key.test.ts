import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { generateSandboxKey, isSandboxKey } from "../../../src/auth/api-key-format.ts";

const counting = (bytes: Uint8Array) => bytes.map((_, index) => index);

test("a sandbox key has 76 characters, of which the last 8 are the start of the SHA-256 of the others", async () => {
  const key = await generateSandboxKey("svc", counting);
  expect(key).toMatch(/^svc_sk_test_[0-9a-f]{64}$/);
  expect(key).toHaveLength(76);
  const digest = createHash("sha256").update(key.slice(0, 68)).digest("hex");
  expect(key.slice(68)).toBe(digest.slice(0, 8));
});

test("a sandbox key is recognised by its checksum alone, and no key with one changed character is", async () => {
  const key = await generateSandboxKey("svc", counting);
  expect(await isSandboxKey("svc", key)).toBe(true);
  for (let at = 0; at < key.length; at++) {
    const changed = `${key.slice(0, at)}${key[at] === "0" ? "1" : "0"}${key.slice(at + 1)}`;
    expect(await isSandboxKey("svc", changed)).toBe(false);
  }
});

test.for([
  ["of another prefix", (key: string) => key.replace("svc", "abc")],
  ["in capitals", (key: string) => key.toUpperCase()],
  ["with a live prefix", (key: string) => key.replace("_test_", "_live_")],
  ["with a character more", (key: string) => `${key}0`],
  ["with a character less", (key: string) => key.slice(0, -1)],
  ["without digits", () => "svc_sk_test_"],
] as const)("a key %s is no sandbox key", async ([, change]) => {
  expect(await isSandboxKey("svc", change(await generateSandboxKey("svc", counting)))).toBe(false);
});

test("two sandbox keys of different random bytes differ", async () => {
  const first = await generateSandboxKey("svc", (bytes) => bytes.fill(1));
  expect(first).not.toBe(await generateSandboxKey("svc", (bytes) => bytes.fill(2)));
});
