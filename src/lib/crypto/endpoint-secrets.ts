import type { KeyRing } from "./key-ring.ts";
import { describeSealing, openSealedText, sealText } from "./sealed-text.ts";

/** Kinds of stored endpoint secrets. A sealed secret opens only as the same kind and for the same account. */
export type EndpointSecret = "signing secret" | "verification token";

interface Owner {
  readonly accountId: number;
  readonly credentialKeys: KeyRing;
}

export const sealEndpointSecret = (
  kind: EndpointSecret,
  text: string,
  owner: Owner,
  random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>,
): Promise<string> => sealText(text, `account ${owner.accountId}`, sealingKeyOf(kind, owner), random);

/** @throws when the text was sealed with a secret that is not configured, for another account or as another kind */
export async function openEndpointSecret(kind: EndpointSecret, sealed: string, owner: Owner): Promise<string> {
  const text = await openSealedText(sealed, `account ${owner.accountId}`, sealingKeyOf(kind, owner));
  if (text === null)
    throw new Error(
      `cannot open a ${kind} of account ${owner.accountId}: ${await describeSealing(sealed, owner.credentialKeys)}`,
    );
  return text;
}

const sealingKeyOf = (kind: EndpointSecret, { credentialKeys: keys }: Owner) => ({
  keys,
  purpose: `webhook ${kind}`,
});
