import { ClientError } from "../api-error.ts";
import { objectOf, parseJson } from "../read-error.ts";
import { fromHex } from "./sha256.ts";

/** Something is not what was signed. */
export class ProofError extends ClientError {
  override name = "ProofError";
}

/** @throws ProofError with this problem */
export function check(isTrue: boolean, problem: string): asserts isTrue {
  if (!isTrue) throw new ProofError(problem);
}

export interface SignedManifest {
  readonly manifest: string;
  readonly signature: string;
  readonly public_key: string;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Checks the Ed25519 signature of a manifest.
 *
 * @param publicKey the key that you trust, 64 hex digits, from another place than the manifest
 */
export async function openManifest(signed: SignedManifest, publicKey: string): Promise<Json> {
  check(/^[0-9a-f]{64}$/.test(publicKey), "the public key is not 64 lowercase hex digits");
  check(signed.public_key === publicKey, `the manifest is signed by ${signed.public_key}, not by the trusted key`);
  check(/^[0-9a-f]{128}$/.test(signed.signature), "the signature is not 128 lowercase hex digits");
  const key = await crypto.subtle.importKey("raw", fromHex(publicKey), { name: "Ed25519" }, false, ["verify"]);
  const bytes = new TextEncoder().encode(signed.manifest);
  check(await crypto.subtle.verify("Ed25519", key, fromHex(signed.signature), bytes), "the signature is wrong");
  return objectOf(parseJson(signed.manifest));
}

/** JSON with sorted keys and without spaces; the values of rows are flat. */
export const canonicalJson = (row: Json): string =>
  `{${Object.keys(row)
    // By code units, as the archive sorts them.
    .sort((a, b) => (a < b ? -1 : 1))
    .map((key) => `${JSON.stringify(key)}:${JSON.stringify(row[key])}`)
    .join(",")}}`;
