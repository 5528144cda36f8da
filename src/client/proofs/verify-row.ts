import type { AnswerOf } from "../operation-types.ts";
import { objectOf, parseJson } from "../read-error.ts";
import { hashLeaf, rootFromPath } from "./merkle.ts";
import { canonicalJson, check, openManifest } from "./open-manifest.ts";
import { concatBytes, fromHex, sha256Hex, toHex } from "./sha256.ts";

type RowProof = AnswerOf<"getRowProof">["data"];
type LedgerEntry = AnswerOf<"getPickOfTheDayLedgerEntry">["data"];
type Json = Readonly<Record<string, unknown>>;

/**
 * Checks that a row is in the signed archive of its day.
 *
 * @param publicKey the key that you trust, 64 hex digits
 * @returns the row
 * @throws ProofError
 */
export async function verifyRow(proof: RowProof, publicKey: string): Promise<Json> {
  const manifest = await openManifest(proof.head, publicKey);
  const day = String(manifest["day"]);
  check(manifest["type"] === "archive_day" && manifest["version"] === 1, "the manifest is of an unknown kind");
  const head = toHex(await hashLeaf(proof.head.manifest));
  check(proof.head.head === head, `the manifest of ${day} has a wrong head`);
  const row = objectOf(parseJson(proof.row));
  check(canonicalJson(row) === proof.row, "the row is not canonical");
  const datasets: readonly unknown[] = Array.isArray(manifest["datasets"]) ? manifest["datasets"] : [];
  const dataset = datasets.map(objectOf).find(({ name }) => name === row["dataset"]);
  check(dataset !== undefined, `${day} has no dataset ${String(row["dataset"])}`);
  const root = await rootFromPath(
    await hashLeaf(proof.row),
    proof.leaf_index,
    Number(dataset["rows"]),
    proof.path.map(fromHex),
  );
  check(root !== null && toHex(root) === dataset["merkle_root"], `the row is not in the signed archive of ${day}`);
  check(String(row["recorded_at"]).startsWith(day), `the row was not recorded on ${day}`);
  return row;
}

/**
 * Checks that an opened pick is the one that was committed, and that the commitment was archived before the kickoff.
 *
 * @throws ProofError
 */
export async function verifyPick(entry: LedgerEntry, proof: RowProof, publicKey: string): Promise<void> {
  check(entry.state === "opened", `the entry is ${entry.state}: only an opened one can be checked`);
  const { payload, commitment_nonce: nonce, commitment_hash: hash } = entry;
  check(/^[0-9a-f]{64}$/.test(nonce), "the nonce is not 64 hex digits");
  const text = new TextEncoder().encode(canonicalJson({ ...payload }));
  check((await sha256Hex(concatBytes(text, fromHex(nonce)))) === hash, "payload and nonce do not give the hash");
  const row = await verifyRow(proof, publicKey);
  const isOfPick = row["dataset"] === "pick_commitments" && row["id"] === String(entry.pick_id);
  check(isOfPick, "the proof is of another row");
  check(row["commitment_hash"] === hash, "the archive has another commitment of this pick");
  const recordedAt = Date.parse(String(row["recorded_at"]));
  check(recordedAt < Date.parse(payload.kickoff), "the commitment was recorded after the kickoff");
}
