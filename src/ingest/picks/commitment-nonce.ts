import { openSealedText, sealText } from "../../lib/crypto/sealed-text.ts";

/** How nonces are drawn, and encrypted until their picks settle. */
export interface NonceSealing {
  readonly secret: string;
  readonly random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>;
}

const PURPOSE = "pick commitment nonce";

/** @param conditionId of the pick's market: the sealed nonce opens only for it */
export const sealNonce = (nonce: string, conditionId: string, { secret, random }: NonceSealing): Promise<string> =>
  sealText(nonce, conditionId, { secret, purpose: PURPOSE }, random);

/** @returns null when it was sealed with another secret or for another market */
export const openNonce = (
  sealed: string,
  conditionId: string,
  { secret }: Pick<NonceSealing, "secret">,
): Promise<string | null> => openSealedText(sealed, conditionId, { secret, purpose: PURPOSE });
