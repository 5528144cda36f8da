import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { verifyEntries } from "../../../../scripts/verify-pick/verify-entries.ts";

const nonce = "0b".repeat(32);
const payload = {
  platform: "polymarket",
  pick_outcome_label: 'Zürich "B" / 2',
  pick_rank: 2,
  backed_price: "0.500000",
};
const canonical =
  '{"backed_price":"0.500000","pick_outcome_label":"Zürich \\"B\\" / 2","pick_rank":2,"platform":"polymarket"}';
const hash = createHash("sha256").update(canonical).update(Buffer.from(nonce, "hex")).digest("hex");
const opened = {
  ...{ state: "opened", pick_date: "2026-11-20", pick_rank: 2, payload },
  ...{ commitment_nonce: nonce, commitment_hash: hash },
};

test("opened entries are found anywhere in a document and checked, and the others are counted", () => {
  const sealed = { state: "sealed", pick_date: "2026-11-20", pick_rank: 3, commitment_hash: hash };
  const uncommitted = { state: "uncommitted", pick_date: "2026-11-20", pick_rank: 4, payload };
  expect(verifyEntries({ object: "x", data: { entries: [opened, sealed, uncommitted] } })).toEqual({
    ...{ matching: ["2026-11-20 rank 2"], differing: [], sealed: 1, uncommitted: 1 },
  });
});

test.each([
  ["price", { ...opened, payload: { ...payload, backed_price: "0.5" } }],
  ["nonce", { ...opened, commitment_nonce: "0c".repeat(32) }],
  ["hash", { ...opened, commitment_hash: hash.replace(/.$/, (digit) => (digit === "0" ? "1" : "0")) }],
  ["missing nonce", { ...opened, commitment_nonce: undefined }],
])("an entry with another %s differs", (_, entry) => {
  expect(verifyEntries(entry)).toMatchObject({ matching: [], differing: ["2026-11-20 rank 2"] });
});
