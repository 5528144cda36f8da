/** One budget as the response headers state it. */
export interface Budget {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: Date;
}

/** Facts of the response beside its body. */
export interface HttpFacts {
  readonly status: number;
  readonly headers: Headers;
  readonly requestId: string | null;
  /** Send it as `ifNoneMatch` with the next request. */
  readonly etag: string | null;
  /** Query parameters that the operation does not know. */
  readonly queryIgnored: readonly string[];
  /** Null where the response does not state the budget: no key was sent, or the operation spends none. */
  readonly minute: Budget | null;
  readonly month: Budget | null;
  readonly batch: Budget | null;
}

export const httpFactsOf = ({ status, headers }: Response): HttpFacts => ({
  status,
  headers,
  requestId: headers.get("x-request-id"),
  etag: headers.get("etag"),
  queryIgnored: (headers.get("x-query-ignored") ?? "").split(",").flatMap((name) => name.trim() || []),
  minute: budgetOf(headers, "x-ratelimit"),
  month: budgetOf(headers, "x-monthly-quota"),
  batch: budgetOf(headers, "x-batch-ratelimit"),
});

function budgetOf(headers: Headers, prefix: string): Budget | null {
  const [limit, remaining, reset] = ["limit", "remaining", "reset"].map((name) => headers.get(`${prefix}-${name}`));
  if (limit == null || remaining == null || reset == null) return null;
  return { limit: Number(limit), remaining: Number(remaining), resetAt: new Date(Number(reset) * 1000) };
}
