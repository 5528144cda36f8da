import type { z } from "zod";
import type { Config } from "../../config.ts";
import { isEqualInConstantTime } from "../../lib/crypto/constant-time.ts";
import { fromBase64Url, hmacSha256, toBase64Url } from "../../lib/crypto/hmac.ts";
import { readCookie } from "../cookies.ts";

const TICKET_SECONDS = 600;
const MAX_CHARACTERS = 12_000;

/** The browser session that a form belongs to. */
export interface FormSession {
  readonly config: Pick<Config, "sessionSecret" | "webBaseUrl" | "keyPrefix">;
  readonly headers: Headers;
  readonly accountId: number;
  readonly now: Date;
}

/**
 * The state of a form as a signed text: what the person was shown is what the form does. It is valid for ten
 * minutes, for one purpose, and in the session for which the page was made.
 */
export async function issueFormTicket(purpose: string, value: unknown, session: FormSession): Promise<string> {
  const expires = String(Math.floor(session.now.getTime() / 1000) + TICKET_SECONDS);
  const payload = toBase64Url(new TextEncoder().encode(JSON.stringify(value)));
  return `${expires}.${payload}.${toBase64Url(await sign(purpose, expires, payload, session))}`;
}

/** @returns null for a ticket that is not valid here and now */
export async function openFormTicket<S extends z.ZodType>(
  purpose: string,
  ticket: string | null,
  schema: S,
  session: FormSession,
): Promise<z.output<S> | null> {
  if (ticket === null || ticket.length > MAX_CHARACTERS) return null;
  const [, expires = "", payload = "", signature = ""] = /^(\d{1,12})\.([\w-]+)\.([\w-]{43})$/.exec(ticket) ?? [];
  const received = fromBase64Url(signature);
  const bytes = fromBase64Url(payload);
  if (received === null || bytes === null || expires === "") return null;
  if (!isEqualInConstantTime(received, await sign(purpose, expires, payload, session))) return null;
  if (Number(expires) * 1000 <= session.now.getTime()) return null;
  return schema.parse(JSON.parse(new TextDecoder().decode(bytes)));
}

function sign(purpose: string, expires: string, payload: string, session: FormSession): Promise<Uint8Array> {
  const { config, headers, accountId } = session;
  const cookie = readCookie(headers, config, "session_token") ?? "";
  return hmacSha256(config.sessionSecret, `form\n${purpose}\n${accountId}\n${expires}\n${payload}\n${cookie}`);
}
