import type { FileJob } from "../files.ts";
import { objectOf } from "../read-error.ts";
import { hashLeaf, merkleRoot } from "./merkle.ts";
import { canonicalJson, check, openManifest } from "./open-manifest.ts";
import { readRows } from "./read-rows.ts";
import { sha256Hex, toHex } from "./sha256.ts";

/** The fields that the status repeats beside the signed text. */
const SHOWN = [
  ...(["format", "schema_version", "row_count", "content_size_bytes", "content_sha256"] as const),
  ...(["compressed_size_bytes", "compressed_sha256", "merkle_root"] as const),
];

export interface FileToVerify {
  /** The file as it was decompressed by the HTTP client; of Parquet as it is stored. */
  readonly content: Uint8Array<ArrayBuffer>;
  /** `data` of the job's status. */
  readonly job: FileJob;
  /** The key that you trust, 64 hex digits, from another place than the status. */
  readonly publicKey: string;
}

/**
 * Checks that a downloaded dataset or export is the one that was signed: signature, status, size, SHA-256, number of
 * rows and Merkle root. The rows of Parquet are not read: the SHA-256 covers them.
 *
 * @returns the signed manifest
 * @throws ProofError
 */
export async function verifyFile({
  content,
  job,
  publicKey,
}: FileToVerify): Promise<Readonly<Record<string, unknown>>> {
  const { artifact } = job;
  check(artifact?.manifest != null, `the job has no file: its status is ${job.status}`);
  check(artifact.proof != null, `the file has no signed manifest: ${artifact.proof_unavailable_reason}`);
  const signed = await openManifest(artifact.proof, publicKey);
  check(signed["type"] === "export_file" && signed["version"] === 1, "the manifest is of an unknown kind");
  check(signed["job_id"] === job.job_id, `the manifest is of job ${String(signed["job_id"])}`);
  const { manifest } = artifact;
  for (const field of SHOWN)
    check(manifest[field] === signed[field], `the status has another ${field} than the signed manifest`);
  const isParquet = signed["format"] === "parquet";
  const kind = isParquet ? "compressed" : "content";
  check(content.length === signed[`${kind}_size_bytes`], `the file has ${content.length} bytes`);
  const digest = await sha256Hex(content);
  check(digest === signed[`${kind}_sha256`], `the file has the SHA-256 ${digest}`);
  if (isParquet) return signed;
  const hasEnvelope = objectOf(signed["selection"])["kind"] === "trader_export";
  const leaves = [];
  for (const row of readRows(content, String(signed["format"]), hasEnvelope))
    leaves.push(await hashLeaf(canonicalJson(row)));
  check(leaves.length === signed["row_count"], `the file has ${leaves.length} rows`);
  const root = toHex(await merkleRoot(leaves));
  check(root === signed["merkle_root"], `the rows have the Merkle root ${root}`);
  return signed;
}
