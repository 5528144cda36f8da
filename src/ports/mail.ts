import type { Config } from "../config.ts";

/** Sends mail to people. */
export interface Mail {
  /** @throws when the mail was not taken */
  send(message: MailMessage): Promise<void>;
}

export interface MailMessage {
  /** An e-mail address. */
  readonly to: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
}

/** On a local website mail is printed. Elsewhere there is no mail service yet, and a log must not come to hold people's codes. */
export function openMail({ webBaseUrl }: Pick<Config, "webBaseUrl">): Mail {
  return new URL(webBaseUrl).hostname === "localhost" ? consoleMail : noMail;
}

const consoleMail: Mail = {
  send: async ({ to, subject, text }) => console.log(`Mail to ${to}: ${subject}\n${text}`),
};

const noMail: Mail = {
  send: () => Promise.reject(new Error("no mail service is configured")),
};
