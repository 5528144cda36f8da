import type { Config } from "../config.ts";
import { fromBase64Url, hmacSha256, toBase64Url } from "../lib/hmac.ts";

type TicketConfig = Pick<Config, "sessionSecret">;

/** A random value, signed for one purpose: what was signed for one opens for no other. */
export async function makeTicket(config: TicketConfig, purpose: string): Promise<{ id: string; ticket: string }> {
  const id = toBase64Url(crypto.getRandomValues(new Uint8Array(16)));
  return { id, ticket: `${id}.${toBase64Url(await sign(config, purpose, id))}` };
}

/** @returns the random value of a ticket that was made here for this purpose, else null */
export async function openTicket(config: TicketConfig, purpose: string, ticket: string | null): Promise<string | null> {
  const [, id, signature] = /^([\w-]{22})\.([\w-]{43})$/.exec(ticket ?? "") ?? [];
  if (id === undefined || signature === undefined) return null;
  const given = fromBase64Url(signature);
  return given !== null && equal(given, await sign(config, purpose, id)) ? id : null;
}

/** No code and no session token, which are signed with the same secret, has this form. */
const sign = ({ sessionSecret }: TicketConfig, purpose: string, id: string) => hmacSha256(sessionSecret, `ticket\n${purpose}\n${id}`);

/** Compares in constant time. */
function equal(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  a.forEach((byte, index) => (difference |= byte ^ (b[index] ?? 0)));
  return difference === 0;
}
