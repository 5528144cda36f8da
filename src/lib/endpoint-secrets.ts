import { openSealedText, sealText } from "./sealed-text.ts";

/** What a webhook endpoint keeps to itself: each opens for what it was sealed for, and for the account it was sealed for. */
export type EndpointSecret = "signing secret" | "verification token";

interface Owner {
  readonly accountId: number;
  readonly credentialSecret: string;
}

export const sealEndpointSecret = (
  kind: EndpointSecret,
  text: string,
  owner: Owner,
  random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>,
): Promise<string> => sealText(text, `account ${owner.accountId}`, sealedWith(kind, owner), random);

/** @throws when the text was sealed with another secret, for another account or as something else: nothing can be signed with it */
export async function openEndpointSecret(kind: EndpointSecret, sealed: string, owner: Owner): Promise<string> {
  const text = await openSealedText(sealed, `account ${owner.accountId}`, sealedWith(kind, owner));
  if (text === null) throw new Error(`a ${kind} of account ${owner.accountId} does not open: CREDENTIAL_SECRET may have changed`);
  return text;
}

const sealedWith = (kind: EndpointSecret, { credentialSecret }: Owner) => ({ secret: credentialSecret, purpose: `webhook ${kind}` });
