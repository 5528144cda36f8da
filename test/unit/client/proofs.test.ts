import { createHash, createPrivateKey, sign } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { verifyFile, verifyPick, verifyRow } from "../../../src/client/verify.ts";
import { hashLeaf, merkleRoot, rootFromPath } from "../../../src/client/proofs/merkle.ts";
import { fromHex, toHex } from "../../../src/client/proofs/sha256.ts";
import { TEST_PUBLIC_KEY, TEST_SIGNING_KEY } from "../../support/archive/signing-key.ts";
import { canonicalText, rootOfTexts } from "../../support/exports/file-proof.ts";
import { verifyDownload } from "../../support/exports/verify-download.ts";

const signingKey = createPrivateKey({ key: Buffer.from(TEST_SIGNING_KEY, "base64url"), format: "der", type: "pkcs8" });
const signed = (manifest: object) => {
  const text = JSON.stringify(manifest);
  return {
    manifest: text,
    signature: sign(null, Buffer.from(text), signingKey).toString("hex"),
    public_key: TEST_PUBLIC_KEY,
  };
};
const sha256 = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest("hex");

test("the root is that of the definition in RFC 6962, for any number of leaves", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string(), { maxLength: 40 }), async (texts) => {
      const leaves = await Promise.all(texts.map((text) => hashLeaf(text)));
      expect(toHex(await merkleRoot(leaves))).toBe(rootOfTexts(texts));
    }),
  );
});

/** The audit path by its definition in RFC 6962, section 2.1.1. */
function auditPath(index: number, texts: readonly string[]): string[] {
  if (texts.length <= 1) return [];
  const k = 2 ** Math.floor(Math.log2(texts.length - 1));
  return index < k
    ? [...auditPath(index, texts.slice(0, k)), rootOfTexts(texts.slice(k))]
    : [...auditPath(index - k, texts.slice(k)), rootOfTexts(texts.slice(0, k))];
}

const aTree = fc
  .array(fc.string(), { minLength: 1, maxLength: 40 })
  .chain((texts) => fc.tuple(fc.constant(texts), fc.nat(texts.length - 1)));

test("an audit path leads to the root, and no other leaf, index or length does", async () => {
  await fc.assert(
    fc.asyncProperty(aTree, async ([texts, index]) => {
      const path = auditPath(index, texts).map(fromHex);
      const leaf = await hashLeaf(texts[index] ?? "");
      const rootAt = async (...args: Parameters<typeof rootFromPath>) => {
        const root = await rootFromPath(...args);
        return root === null ? null : toHex(root);
      };
      expect(await rootAt(leaf, index, texts.length, path)).toBe(rootOfTexts(texts));
      const wrong = [
        await rootAt(await hashLeaf(`${texts[index]}x`), index, texts.length, path),
        await rootAt(leaf, texts.length, texts.length, path),
        await rootAt(leaf, index, texts.length, [...path, leaf]),
      ];
      expect(wrong).not.toContain(rootOfTexts(texts));
    }),
  );
});

const ROWS = [
  { id: "wt_1", price: "0.5", title: 'a "b", c\r\nd', note: null },
  { id: "wt_2", price: "0.25", title: "\u2028ü", note: "=x" },
];
const cell = (value: string | null) => `"${(value ?? "").replaceAll('"', '""')}"`;
const asText = ROWS.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, value ?? ""])));

/** The content of both rows in each format, and the rows as its leaves have them. */
const FORMATS = {
  "ndjson of a dataset": {
    format: "ndjson",
    kind: "whale_dataset",
    rows: ROWS,
    content: ROWS.map((row) => `${JSON.stringify(row)}\n`).join(""),
  },
  "ndjson of an export": {
    format: "ndjson",
    kind: "trader_export",
    rows: ROWS,
    content: `{"trader":1}\n${ROWS.map((row) => `${JSON.stringify(row)}\n`).join("")}`,
  },
  json: {
    format: "json",
    kind: "trader_export",
    rows: ROWS,
    content: `{"trader":1,"trades":[\n${ROWS.map((row) => JSON.stringify(row)).join(",\n")}\n]}\n`,
  },
  csv: {
    format: "csv",
    kind: "trader_export",
    rows: asText,
    content: `\uFEFFid,price,title,note\r\n${ROWS.map((row) => `${Object.values(row).map(cell).join(",")}\r\n`).join("")}`,
  },
  "csv without rows": { format: "csv", kind: "trader_export", rows: [], content: "\uFEFFid,price,title,note\r\n" },
  parquet: { format: "parquet", kind: "whale_dataset", rows: ROWS, content: "PAR1 stands for any bytes" },
} as const;

function aFile({ format, kind, rows, content }: (typeof FORMATS)[keyof typeof FORMATS]) {
  const shared = {
    format,
    schema_version: "v1",
    row_count: rows.length,
    content_size_bytes: Buffer.byteLength(content),
    content_sha256: sha256(content),
    compressed_size_bytes: Buffer.byteLength(content),
    compressed_sha256: sha256(content),
    merkle_root: rootOfTexts(rows.map(canonicalText)),
  };
  const snapshot = { generation_id: "g", selected_at: "2026-11-20T12:00:00.000Z" };
  const manifest = { type: "export_file", version: 1, job_id: 7, selection: { kind }, snapshot, ...shared };
  const generation = { id: snapshot.generation_id, selected_at: snapshot.selected_at };
  const job: any = {
    job_id: 7,
    status: "ready",
    artifact: { manifest: { ...shared, generation }, proof: signed(manifest), proof_unavailable_reason: null },
  };
  return { content: Uint8Array.from(Buffer.from(content)), job, publicKey: TEST_PUBLIC_KEY, manifest };
}

test.each(Object.entries(FORMATS))("a file is what was signed, as verify.mjs says too: %s", async (_, facts) => {
  const file = aFile(facts);
  expect(await verifyFile(file)).toEqual(file.manifest);
  const { code, text } = await verifyDownload({ bytes: file.content, status: { data: file.job } });
  expect({ code, text }).toMatchObject({ code: 0 });
});

const byteChanged = (content: Uint8Array<ArrayBuffer>) =>
  Uint8Array.from(content, (byte, n) => (n === 12 ? byte ^ 1 : byte));
const resigned = (file: ReturnType<typeof aFile>, change: object) => {
  const manifest = { ...file.manifest, ...change };
  const { artifact } = file.job;
  return {
    ...file,
    job: {
      ...file.job,
      artifact: { ...artifact, manifest: { ...artifact.manifest, ...change }, proof: signed(manifest) },
    },
  };
};

test.each([
  ["a changed byte", (file) => ({ ...file, content: byteChanged(file.content) }), /SHA-256/],
  ["a missing end", (file) => ({ ...file, content: file.content.slice(0, -1) }), /bytes/],
  ["another key", (file) => ({ ...file, publicKey: "00".repeat(32) }), /trusted key/],
  ["a number of rows that is signed wrong", (file) => resigned(file, { row_count: 3 }), /2 rows/],
  ["a root that is signed wrong", (file) => resigned(file, { merkle_root: "0".repeat(64) }), /Merkle root/],
  [
    "a changed manifest",
    (file) => {
      file.job.artifact.proof.manifest = file.job.artifact.proof.manifest.replace('"job_id":7', '"job_id":8');
      return file;
    },
    /signature is wrong/,
  ],
  [
    "a status of other numbers",
    (file) => {
      file.job.artifact.manifest.row_count = 1;
      return file;
    },
    /row_count/,
  ],
  [
    "no proof",
    (file) => {
      Object.assign(file.job.artifact, { proof: null, proof_unavailable_reason: "no_signing_key" });
      return file;
    },
    /no_signing_key/,
  ],
] as readonly [string, (file: ReturnType<typeof aFile>) => ReturnType<typeof aFile>, RegExp][])(
  "a file with %s is refused",
  async (_, change, problem) => {
    await expect(verifyFile(change(aFile(FORMATS["ndjson of a dataset"])))).rejects.toThrow(problem);
  },
);

/** A pick's commitment in the archive of its day. */
function aPick() {
  const payload = { kickoff: "2026-11-21T12:00:00Z", side: "home" };
  const nonce = "ab".repeat(32);
  const hash = createHash("sha256").update(canonicalText(payload)).update(Buffer.from(nonce, "hex")).digest("hex");
  const row = { dataset: "pick_commitments", id: "5", recorded_at: "2026-11-20T09:00:00Z", commitment_hash: hash };
  const rows = [{ dataset: "pick_commitments", id: "4" }, row, { dataset: "pick_commitments", id: "6" }];
  const texts = rows.map(canonicalText);
  const datasets = [{ name: "pick_commitments", rows: 3, merkle_root: rootOfTexts(texts) }];
  const head = signed({ type: "archive_day", version: 1, day: "2026-11-20", datasets });
  const proof: any = {
    row: canonicalText(row),
    leaf_index: 1,
    path: auditPath(1, texts),
    head: { ...head, head: rootOfTexts([head.manifest]) },
  };
  const entry: any = { state: "opened", pick_id: 5, payload, commitment_nonce: nonce, commitment_hash: hash };
  return { entry, proof, row };
}

test("a row and a pick are what was archived", async () => {
  const { entry, proof, row } = aPick();
  expect(await verifyRow(proof, TEST_PUBLIC_KEY)).toEqual(row);
  await expect(verifyPick(entry, proof, TEST_PUBLIC_KEY)).resolves.toBeUndefined();
});

test.each([
  ["another payload", (pick) => (pick.entry.payload.side = "away"), /payload and nonce/],
  ["another number", (pick) => (pick.entry.pick_id = 4), /another row/],
  ["another leaf", (pick) => (pick.proof.leaf_index = 2), /not in the signed archive/],
  ["a row with spaces", (pick) => (pick.proof.row = pick.proof.row.replace(":", ": ")), /not canonical/],
  ["another head", (pick) => (pick.proof.head.head = "0".repeat(64)), /wrong head/],
  ["a sealed entry", (pick) => (pick.entry.state = "sealed"), /sealed/],
] as readonly [string, (pick: ReturnType<typeof aPick>) => void, RegExp][])(
  "a pick with %s is refused",
  async (_, change, problem) => {
    const pick = aPick();
    change(pick);
    await expect(verifyPick(pick.entry, pick.proof, TEST_PUBLIC_KEY)).rejects.toThrow(problem);
  },
);
