import { openSealedText, sealText } from "./sealed-text.ts";

/** Kinds of stored endpoint secrets. A sealed secret opens only as the same kind and for the same account. */
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
): Promise<string> => sealText(text, `account ${owner.accountId}`, sealingKeyOf(kind, owner), random);

/** @throws when the text was sealed with another CREDENTIAL_SECRET, for another account or as another kind */
export async function openEndpointSecret(kind: EndpointSecret, sealed: string, owner: Owner): Promise<string> {
  const text = await openSealedText(sealed, `account ${owner.accountId}`, sealingKeyOf(kind, owner));
  if (text === null)
    throw new Error(`cannot open a ${kind} of account ${owner.accountId}: CREDENTIAL_SECRET may have changed`);
  return text;
}

const sealingKeyOf = (kind: EndpointSecret, { credentialSecret }: Owner) => ({
  secret: credentialSecret,
  purpose: `webhook ${kind}`,
});
