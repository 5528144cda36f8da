import { toBase64Url } from "../../../src/lib/crypto/hmac.ts";

/**
 * A passkey in software (WebAuthn level 2, ES256, no attestation) that returns what a browser would send to
 * the website.
 */
export interface SoftwarePasskey {
  /** The credential for the options of a registration. */
  register(options: { challenge: string; rp: { id: string } }, origin: string): Promise<object>;
  /** The assertion for the options of a sign-in. */
  sign(options: { challenge: string; rpId: string }, origin: string): Promise<object>;
}

const USER_PRESENT_AND_VERIFIED = 0x05;
const WITH_KEY = 0x40;
const AAGUID = new Uint8Array(16);

type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();
const concat = (...parts: (Uint8Array | number[])[]): Bytes => Uint8Array.from(parts.flatMap((part) => [...part]));
const sha256 = async (bytes: Uint8Array) => new Uint8Array(await crypto.subtle.digest("SHA-256", concat(bytes)));

export async function aSoftwarePasskey(): Promise<SoftwarePasskey> {
  // This algorithm always yields a key pair.
  const keys = (await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
    "verify",
  ])) as CryptoKeyPair;
  const credentialId = crypto.getRandomValues(new Uint8Array(32));
  let counter = 0;

  async function authenticatorData(rpId: string, flags: number, attested: number[] | Bytes = []): Promise<Bytes> {
    const count = new Uint8Array(4);
    new DataView(count.buffer).setUint32(0, ++counter);
    return concat(await sha256(encoder.encode(rpId)), [flags], count, attested);
  }

  /** The uncompressed point (4, x, y) as a COSE key: kty EC2, alg ES256, crv P-256. */
  async function coseKey(): Promise<Bytes> {
    // Only the jwk format returns something other than bytes.
    const point = new Uint8Array((await crypto.subtle.exportKey("raw", keys.publicKey)) as ArrayBuffer);
    return concat(
      [0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 32],
      point.slice(1, 33),
      [0x22, 0x58, 32],
      point.slice(33),
    );
  }

  const answer = (response: object) => ({
    id: toBase64Url(credentialId),
    rawId: toBase64Url(credentialId),
    type: "public-key",
    clientExtensionResults: {},
    response,
  });

  return {
    async register({ challenge, rp }, origin) {
      const clientData = encoder.encode(
        JSON.stringify({ type: "webauthn.create", challenge, origin, crossOrigin: false }),
      );
      const attested = concat(AAGUID, [0, credentialId.length], credentialId, await coseKey());
      const data = await authenticatorData(rp.id, USER_PRESENT_AND_VERIFIED | WITH_KEY, attested);
      // The map {fmt: "none", attStmt: {}, authData: bytes}.
      const attestation = concat(
        [
          0xa3,
          0x63,
          ...encoder.encode("fmt"),
          0x64,
          ...encoder.encode("none"),
          0x67,
          ...encoder.encode("attStmt"),
          0xa0,
        ],
        [0x68, ...encoder.encode("authData"), 0x59, data.length >> 8, data.length & 0xff],
        data,
      );
      return answer({
        clientDataJSON: toBase64Url(clientData),
        attestationObject: toBase64Url(attestation),
        transports: ["internal"],
      });
    },
    async sign({ challenge, rpId }, origin) {
      const clientData = encoder.encode(
        JSON.stringify({ type: "webauthn.get", challenge, origin, crossOrigin: false }),
      );
      const data = await authenticatorData(rpId, USER_PRESENT_AND_VERIFIED);
      const signed = concat(data, await sha256(clientData));
      const signature = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, keys.privateKey, signed);
      return answer({
        clientDataJSON: toBase64Url(clientData),
        authenticatorData: toBase64Url(data),
        signature: toBase64Url(toDer(new Uint8Array(signature))),
      });
    },
  };
}

/** r and s, 32 bytes each, as the DER sequence of a WebAuthn signature. */
function toDer(signature: Uint8Array): Uint8Array {
  const integer = (bytes: Uint8Array) => {
    const start = bytes.findIndex((byte) => byte !== 0);
    const digits = [...bytes.slice(start === -1 ? bytes.length - 1 : start)];
    const positive = (digits[0] ?? 0) >= 0x80 ? [0, ...digits] : digits;
    return [0x02, positive.length, ...positive];
  };
  const body = [...integer(signature.slice(0, 32)), ...integer(signature.slice(32))];
  return Uint8Array.from([0x30, body.length, ...body]);
}
