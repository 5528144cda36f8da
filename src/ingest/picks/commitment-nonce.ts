import type { KeyRing } from "../../lib/crypto/key-ring.ts";
import { openSealedText, sealText } from "../../lib/crypto/sealed-text.ts";

/** How nonces are drawn, and encrypted until their picks settle. */
export interface NonceSealing {
  readonly keys: KeyRing;
  readonly random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>;
}

const PURPOSE = "pick commitment nonce";

/** @param conditionId of the pick's market: the sealed nonce opens only for it */
export const sealNonce = (nonce: string, conditionId: string, { keys, random }: NonceSealing): Promise<string> =>
  sealText(nonce, conditionId, { keys, purpose: PURPOSE }, random);

/** @returns null when it was sealed with a secret that is not configured or for another market */
export const openNonce = (
  sealed: string,
  conditionId: string,
  { keys }: Pick<NonceSealing, "keys">,
): Promise<string | null> => openSealedText(sealed, conditionId, { keys, purpose: PURPOSE });
