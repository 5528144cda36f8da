import { fileManifestText, type FileManifest } from "../../domain/proofs/file-manifest.ts";
import { openSigner } from "../../domain/proofs/signing.ts";
import type { ClaimedJob } from "../jobs/export-job-row.ts";
import type { Snapshot } from "../jobs/lease.ts";

/** Sizes, hashes and number of rows of a file. */
export type FileFacts = Pick<
  FileManifest,
  "row_count" | "content_size_bytes" | "content_sha256" | "compressed_size_bytes" | "compressed_sha256" | "merkle_root"
>;

/** Which rows of which snapshot a job has written. */
interface FileOrigin {
  readonly job: Pick<ClaimedJob, "id" | "format">;
  readonly schemaVersion: string;
  readonly selection: FileManifest["selection"];
  readonly snapshot: Snapshot;
}

/** A signed manifest: the text that is signed, and what verifies it, in hex. */
export interface FileProof {
  readonly manifest: string;
  readonly signature: string;
  readonly public_key: string;
}

/** @param signingKey null without a configured key @returns null without a key */
export async function signFile(
  signingKey: string | null,
  { job, schemaVersion, selection, snapshot }: FileOrigin,
  file: FileFacts,
): Promise<FileProof | null> {
  if (signingKey === null) return null;
  const manifest = fileManifestText({
    type: "export_file",
    version: 1,
    job_id: job.id,
    format: job.format,
    schema_version: schemaVersion,
    selection,
    snapshot: {
      generation_id: snapshot.generationId,
      selected_at: snapshot.selectedAt.toISOString(),
      epoch: snapshot.epoch,
      commit_horizon_xid: snapshot.horizonXid,
    },
    ...file,
  });
  const signer = await openSigner(signingKey);
  return { manifest, signature: await signer.sign(manifest), public_key: signer.publicKey };
}
