/** Error codes of RFC 6749, 7591, 8628, 8707 and RFC 6749 section 4.1.2.1. */
export type OAuthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_scope"
  | "invalid_target"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "unsupported_response_type"
  | "access_denied"
  | "authorization_pending"
  | "slow_down"
  | "expired_token"
  | "invalid_redirect_uri"
  | "invalid_client_metadata"
  | "temporarily_unavailable"
  | "server_error";

/** The only error that OAuth endpoints present; any other leaves as `server_error`. */
export class OAuthError extends Error {
  override name = "OAuthError";
  readonly code: OAuthErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  /** @param description ASCII without quotes and backslashes (RFC 6749 section 5.2) */
  constructor(
    code: OAuthErrorCode,
    description: string,
    { status = 400, headers = {} }: { status?: number; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(description);
    this.code = code;
    this.status = status;
    this.headers = headers;
  }
}

/** An error response of RFC 6749 section 5.2. */
export function presentOAuthError({ code, message, status, headers }: OAuthError): Response {
  return Response.json(
    { error: code, error_description: message },
    { status, headers: { ...headers, "Cache-Control": "no-store" } },
  );
}
