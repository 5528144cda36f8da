import type { Config } from "../../config.ts";
import { withTimeoutSignal } from "../../lib/timing/with-timeout-signal.ts";
import { MailUnavailable, type Mail, type MailMessage } from "./mail.ts";

const TIMEOUT_MS = 10_000;

/**
 * Sends mail with one POST of JSON, `{ from, to, subject, text }` with `to` a list of one address, and a
 * bearer token. Any 2xx status means accepted. A message key is sent as `Idempotency-Key`: the service sends
 * one mail for all requests with the same key within 24 hours.
 *
 * Source: "Send Email" of Resend's API, POST https://api.resend.com/emails
 *   (resend.com/docs/api-reference/emails/send-email).
 */
export class HttpMail implements Mail {
  readonly #settings: NonNullable<Config["mail"]>;
  readonly #fetch: typeof fetch;

  constructor(settings: NonNullable<Config["mail"]>, fetcher: typeof fetch) {
    this.#settings = settings;
    this.#fetch = fetcher;
  }

  send(message: MailMessage): Promise<void> {
    return withTimeoutSignal(TIMEOUT_MS, (signal) => this.#sendWithin(signal, message));
  }

  async #sendWithin(signal: AbortSignal, message: MailMessage): Promise<void> {
    const response = await this.#post(message, signal);
    // The response body is not read: it may repeat the mail, which must not be logged.
    await response.body?.cancel().catch(() => undefined);
    if (!response.ok) throw new MailUnavailable(`the mail service returned status ${response.status}`);
  }

  #post({ to, subject, text, idempotencyKey }: MailMessage, signal: AbortSignal): Promise<Response> {
    const { endpoint, token, from } = this.#settings;
    // Called as a plain function: the runtime rejects its fetch as a method of another object.
    const post = this.#fetch;
    return post(endpoint, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
      },
      body: JSON.stringify({ from, to: [to], subject, text }),
      // A redirect would send the mail to a host that is not configured.
      redirect: "manual",
      signal,
    }).catch((error: unknown) => {
      // Only the error's name: the message of a failed request may quote the mail.
      throw new MailUnavailable(
        `the mail service did not respond (${error instanceof Error ? error.name : typeof error})`,
      );
    });
  }
}
