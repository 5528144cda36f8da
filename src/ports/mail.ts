/** Sends mail to people. A mail that was not taken throws `MailUnavailable`, and so does one of which nobody can tell. */
export interface Mail {
  send(message: MailMessage): Promise<void>;
}

export interface MailMessage {
  /** An e-mail address. */
  readonly to: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
  /** Of a mail that may be sent again after it was taken: by it the service knows that it is the same one. */
  readonly key?: string;
}

/** Says what went wrong and nothing of what was to be sent, since it is logged. */
export class MailUnavailable extends Error {
  override name = "MailUnavailable";
}
