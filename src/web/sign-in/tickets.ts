import type { Config } from "../../config.ts";
import { fromBase64Url, hmacSha256, toBase64Url } from "../../lib/crypto/hmac.ts";
import { isEqualInConstantTime } from "../../lib/crypto/constant-time.ts";

type TicketConfig = Pick<Config, "sessionSecret">;

/** A random id, signed for one purpose. A ticket is not valid for any other purpose. */
export async function issueTicket(config: TicketConfig, purpose: string): Promise<{ id: string; ticket: string }> {
  const id = toBase64Url(crypto.getRandomValues(new Uint8Array(16)));
  return { id, ticket: `${id}.${toBase64Url(await sign(config, purpose, id))}` };
}

/** @returns the id of a valid ticket for this purpose, else null */
export async function verifyTicket(
  config: TicketConfig,
  purpose: string,
  ticket: string | null,
): Promise<string | null> {
  const [, id, signature] = /^([\w-]{22})\.([\w-]{43})$/.exec(ticket ?? "") ?? [];
  if (id === undefined || signature === undefined) return null;
  const received = fromBase64Url(signature);
  return received !== null && isEqualInConstantTime(received, await sign(config, purpose, id)) ? id : null;
}

/**
 * Codes and session tokens are signed with the same secret; the `ticket` prefix keeps their inputs distinct.
 */
const sign = ({ sessionSecret }: TicketConfig, purpose: string, id: string) =>
  hmacSha256(sessionSecret, `ticket\n${purpose}\n${id}`);
