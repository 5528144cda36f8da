import { TEST_PUBLIC_KEY } from "../archive/signing-key.ts";
import { merkleHash } from "../oracles/merkle-hash.ts";

/** The canonical text of a flat row, by its definition in docs/files.md. */
export const canonicalText = (row: object): string => JSON.stringify(row, Object.keys(row).toSorted());

/** The Merkle root over texts, by the definition of RFC 6962. */
export const rootOfTexts = (texts: readonly string[]): string =>
  merkleHash(texts.map((text) => Buffer.from(text).toString("hex")));

/** Verifies the signature of a file's proof with the published key of the tests. @returns the manifest, null if it is wrong */
export async function openProof({ manifest, signature }: { manifest: string; signature: string }): Promise<any> {
  const [key, bytes] = [TEST_PUBLIC_KEY, signature].map((hex) => Buffer.from(hex, "hex"));
  const imported = await crypto.subtle.importKey("raw", key ?? new Uint8Array(), { name: "Ed25519" }, false, [
    "verify",
  ]);
  const isSigned = await crypto.subtle.verify("Ed25519", imported, bytes ?? new Uint8Array(), Buffer.from(manifest));
  return isSigned ? JSON.parse(manifest) : null;
}
