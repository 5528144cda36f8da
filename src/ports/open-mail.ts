import type { Config } from "../config.ts";
import { HttpMail } from "./http-mail.ts";
import type { Mail } from "./mail.ts";

/**
 * The mail service that is configured. Without one a website on http://localhost prints its mail; elsewhere a log must not come to hold
 * people's codes.
 *
 * @returns null when no mail can be sent
 */
export function openMail({ mail, webBaseUrl }: Pick<Config, "mail" | "webBaseUrl">, fetcher: typeof fetch): Mail | null {
  if (mail !== null) return new HttpMail(mail, fetcher);
  const { protocol, hostname } = new URL(webBaseUrl);
  return protocol === "http:" && hostname === "localhost" ? consoleMail : null;
}

/** On one line, by which `npm start` knows it among the Worker's other lines and shows it. */
const consoleMail: Mail = {
  send: async ({ to, subject, text }) => console.log(`Mail to ${to}: ${subject}. ${text.replaceAll("\n", " ")}`),
};
