import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  canonicalJson,
  canonicalPayload,
  commitmentHash,
  commitmentInstant,
  isCommitmentTo,
  toHex,
} from "../../../../src/domain/picks/commitment.ts";
import { hasRecorded, RECORDED } from "../../../support/providers/recorded-lines.ts";

// The contract's own example.
const VECTOR = {
  ...{ backed_price: "0.545000", condition_id: "0xabc", kickoff: "2026-09-20T23:05:00Z", pick_date: "2026-09-20" },
  ...{ pick_outcome_index: 1, pick_outcome_label: "Lakers", pick_rank: 1, platform: "polymarket" as const },
};
const VECTOR_NONCE = Array.from({ length: 32 }, (_, byte) => byte.toString(16).padStart(2, "0")).join("");

describe("the canonical payload", () => {
  test("the contract's example has its 199 bytes and its hash", async () => {
    const payload = canonicalPayload(VECTOR);
    expect(new TextEncoder().encode(payload)).toHaveLength(199);
    expect(await commitmentHash(payload, VECTOR_NONCE)).toBe(
      "44d18fa5e2aa3a2bf3c971dcc9317c8ccbdfd5480a4773b6d8ffd5fbeeea84dc",
    );
  });

  test("keys are sorted, whitespace is left out, and only what JSON requires is escaped", () => {
    const text = 'Å "x" \\ / \u0001\b\f\n\r\t\u007f\u2028😀';
    expect(canonicalJson({ b: text, a: 1 })).toBe(
      '{"a":1,"b":"Å \\"x\\" \\\\ / \\u0001\\b\\f\\n\\r\\t\u007f\u2028😀"}',
    );
  });

  test("text that UTF-8 cannot represent and numbers that are not exact integers are refused", () => {
    expect(() => canonicalJson({ a: "\ud800" })).toThrow("a cannot be written exactly");
    expect(() => canonicalJson({ a: 0.5 })).toThrow("a cannot be written exactly");
  });

  test.each([
    ["a fraction of a second", { kickoff: "2026-09-20T23:05:00.500Z" }],
    ["another time zone", { kickoff: "2026-09-20T23:05:00+00:00" }],
    ["a price in exponent form", { backed_price: "5e-1" }],
  ])("a payload with %s is refused", (_, change) => {
    expect(() => canonicalPayload({ ...VECTOR, ...change })).toThrow(RangeError);
  });

  test("a kickoff is written in whole seconds, and one between seconds cannot be committed to", () => {
    expect(commitmentInstant(new Date("2026-09-20T23:05:00.000Z"))).toBe("2026-09-20T23:05:00Z");
    expect(commitmentInstant(new Date("2026-09-20T23:05:00.001Z"))).toBeNull();
  });
});

test("a commitment verifies with its own nonce and payload only", async () => {
  const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme" }), bytes, async (label, nonceBytes) => {
      const payload = canonicalPayload({ ...VECTOR, pick_outcome_label: label });
      const nonce = toHex(nonceBytes);
      const hash = createHash("sha256").update(payload, "utf8").update(nonceBytes).digest("hex");
      expect(await isCommitmentTo({ hash, nonce, payload })).toBe(true);
      expect(await isCommitmentTo({ hash, nonce, payload: `${payload} ` })).toBe(false);
      expect(await isCommitmentTo({ hash, nonce: nonce.slice(2), payload })).toBe(false);
    }),
  );
});

interface LedgerEntry {
  readonly state: string;
  readonly commitment_hash?: string;
  readonly commitment_nonce: string;
  readonly payload: Record<string, string | number>;
}

const days = hasRecorded
  ? readdirSync(`${RECORDED}ledger/2026`, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".json"),
    )
  : [];

test.runIf(hasRecorded)("every opened entry of the recorded ledgers verifies byte for byte", async () => {
  const entries = days
    .flatMap((name) => JSON.parse(readFileSync(`${RECORDED}ledger/2026/${name}`, "utf8")).picks as LedgerEntry[])
    .filter((entry) => entry.state === "opened" && entry.commitment_hash !== undefined);
  expect(entries.length).toBeGreaterThan(10);
  for (const { commitment_hash: hash = "", commitment_nonce: nonce, payload } of entries)
    expect(await isCommitmentTo({ hash, nonce, payload: canonicalJson(payload) })).toBe(true);
});
