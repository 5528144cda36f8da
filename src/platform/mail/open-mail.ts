import type { Config } from "../../config.ts";
import { HttpMail } from "./http-mail.ts";
import type { Mail } from "./mail.ts";

/**
 * The configured mail service. Without one, a website on http://localhost prints its mail; elsewhere nothing
 * is printed, because logs must not contain sign-in codes.
 *
 * @returns null when no mail can be sent
 */
export function openMail(
  { mail, webBaseUrl }: Pick<Config, "mail" | "webBaseUrl">,
  fetcher: typeof fetch,
): Mail | null {
  if (mail !== null) return new HttpMail(mail, fetcher);
  const { protocol, hostname } = new URL(webBaseUrl);
  return protocol === "http:" && hostname === "localhost" ? consoleMail : null;
}

/** Prints one line per mail. `npm start` recognises the line by its beginning and shows it. */
const consoleMail: Mail = {
  send: async ({ to, subject, text }) => console.log(`Mail to ${to}: ${subject}. ${text.replaceAll("\n", " ")}`),
};
