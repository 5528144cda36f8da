import type { Config } from "../config.ts";
import { withSignal } from "../lib/with-signal.ts";
import { MailUnavailable, type Mail, type MailMessage } from "./mail.ts";

const TIMEOUT_MS = 10_000;

/**
 * Mail by one POST of JSON, `{ from, to, subject, text }` with `to` a list of one address, and a bearer token. Any 2xx takes the mail. A mail
 * with a key carries it as `Idempotency-Key`: the service sends one mail for all requests with the same key within 24 hours.
 *
 * Source: "Send Email" of Resend's API, POST https://api.resend.com/emails (resend.com/docs/api-reference/emails/send-email).
 */
export class HttpMail implements Mail {
  readonly #settings: NonNullable<Config["mail"]>;
  readonly #fetch: typeof fetch;

  constructor(settings: NonNullable<Config["mail"]>, fetcher: typeof fetch) {
    this.#settings = settings;
    this.#fetch = fetcher;
  }

  send(message: MailMessage): Promise<void> {
    return withSignal(TIMEOUT_MS, (signal) => this.#sendWithin(signal, message));
  }

  async #sendWithin(signal: AbortSignal, message: MailMessage): Promise<void> {
    const response = await this.#post(message, signal);
    // What the service says is left unread: it may repeat the mail.
    await response.body?.cancel().catch(() => undefined);
    if (!response.ok) throw new MailUnavailable(`the mail service answered ${response.status}`);
  }

  #post({ to, subject, text, key }: MailMessage, signal: AbortSignal): Promise<Response> {
    const { endpoint, token, from } = this.#settings;
    // Called on its own: the runtime refuses its fetch as a method of another object.
    const post = this.#fetch;
    return post(endpoint, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        ...(key === undefined ? {} : { "idempotency-key": key }),
      },
      body: JSON.stringify({ from, to: [to], subject, text }),
      // Following would take the mail to an address that nobody configured.
      redirect: "manual",
      signal,
    }).catch((error: unknown) => {
      // By its kind alone: the message of a failed request may quote what was sent.
      throw new MailUnavailable(`the mail service did not answer (${error instanceof Error ? error.name : typeof error})`);
    });
  }
}
