/** What an error response says. */
export interface ErrorFacts {
  readonly status: number;
  readonly code: string;
  /** Null when the catalogue publishes none for this error. */
  readonly reason: string | null;
  readonly message: string;
  /** The query parameter, path segment, header or JSON path at fault. */
  readonly param: string | null;
  /** When a repeat can succeed; null when the error has no such time. */
  readonly retryAt: Date | null;
  /** The same as a wait, from Retry-After. */
  readonly retryAfterMs: number | null;
  readonly requestId: string | null;
  readonly docUrl: string | null;
  /** The response headers, for example with budgets. */
  readonly headers: Headers;
  /** The `error` object of the body as sent; null when the body is not the API's. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

/** Everything that this client throws on its own account is one of these. */
export class ClientError extends Error {
  override name = "ClientError";
}

/** The API refused a request. Its subclasses name the code, and below it the reason. */
export class ApiError extends ClientError implements ErrorFacts {
  override name = "ApiError";
  declare readonly status: number;
  declare readonly code: string;
  declare readonly reason: string | null;
  declare readonly param: string | null;
  declare readonly retryAt: Date | null;
  declare readonly retryAfterMs: number | null;
  declare readonly requestId: string | null;
  declare readonly docUrl: string | null;
  declare readonly headers: Headers;
  declare readonly body: Readonly<Record<string, unknown>> | null;

  constructor({ message, ...facts }: ErrorFacts) {
    super(message);
    Object.assign(this, facts);
  }
}

/** No response arrived, or it broke off: it is unknown whether the request ran. */
export class ConnectionError extends ClientError {
  override name = "ConnectionError";
}

/** The response took longer than the time limit of an attempt: it is unknown whether the request ran. */
export class TimeoutError extends ConnectionError {
  override name = "TimeoutError";
}

/** A response that does not have the documented form. */
export class InvalidResponseError extends ClientError {
  override name = "InvalidResponseError";
}
