import { fromHex, toHex } from "./hex.ts";

const ALGORITHM = "Ed25519";
const PRIVATE_KEY = /^[A-Za-z0-9_-]+$/;
const encoder = new TextEncoder();

/** Signs texts with Ed25519 (RFC 8032). The same text always gets the same signature. */
export interface Signer {
  /** 64 hex digits. */
  readonly publicKey: string;
  /** @returns the signature over the UTF-8 of the text, as 128 hex digits */
  sign(text: string): Promise<string>;
}

/**
 * @param privateKey PKCS #8, DER in base64url
 * @throws Error for anything but an Ed25519 key
 */
export async function openSigner(privateKey: string): Promise<Signer> {
  if (!PRIVATE_KEY.test(privateKey)) throw new Error("the signing key is not base64url");
  const der = Uint8Array.from(atob(privateKey.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  // Extractable, because the public key can only be read from the exported key.
  const key = await crypto.subtle.importKey("pkcs8", der, { name: ALGORITHM }, true, ["sign"]);
  const exported = await crypto.subtle.exportKey("jwk", key);
  const point = "x" in exported ? exported.x : undefined;
  if (point === undefined) throw new Error("the signing key has no public point");
  const publicKey = toHex(
    Uint8Array.from(atob(point.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0)),
  );
  return {
    publicKey,
    sign: async (text) => toHex(new Uint8Array(await crypto.subtle.sign(ALGORITHM, key, encoder.encode(text)))),
  };
}

/**
 * @param publicKey 64 hex digits
 * @param signature 128 hex digits
 */
export async function isSignedBy(publicKey: string, text: string, signature: string): Promise<boolean> {
  const key = await crypto.subtle.importKey("raw", fromHex(publicKey), { name: ALGORITHM }, false, ["verify"]);
  return crypto.subtle.verify(ALGORITHM, key, fromHex(signature), encoder.encode(text));
}
