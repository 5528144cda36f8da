/** Sends mail. Throws `MailUnavailable` when the service did not accept the mail, or when that is unknown. */
export interface Mail {
  send(message: MailMessage): Promise<void>;
}

export interface MailMessage {
  /** An e-mail address. */
  readonly to: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
  /** Idempotency key of a mail that may be sent again after it was accepted. */
  readonly idempotencyKey?: string;
}

/** The message describes the failure only and never the mail, because it is logged. */
export class MailUnavailable extends Error {
  override name = "MailUnavailable";
}
