import { expect, test } from "vitest";
import { isSignedBy, openSigner } from "../../../../src/domain/proofs/signing.ts";

const ED25519_PKCS8 = "302e020100300506032b657004220420";

// The first two vectors of RFC 8032, section 7.1.
test.for([
  {
    seed: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
    publicKey: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
    message: "",
    signature:
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
  },
  {
    seed: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
    publicKey: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
    message: "r",
    signature:
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
  },
])("the key $publicKey signs as RFC 8032 shows", async ({ seed, publicKey, message, signature }) => {
  const signer = await openSigner(Buffer.from(ED25519_PKCS8 + seed, "hex").toString("base64url"));
  expect(signer.publicKey).toBe(publicKey);
  expect(await signer.sign(message)).toBe(signature);
  expect(await isSignedBy(publicKey, message, signature)).toBe(true);
  expect(await isSignedBy(publicKey, `${message}x`, signature)).toBe(false);
});

test("anything but an Ed25519 key in base64url is refused", async () => {
  await expect(openSigner("not base64url!")).rejects.toThrow("not base64url");
  await expect(openSigner("AAAA")).rejects.toThrow();
});
