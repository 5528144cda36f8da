/** The rate limit, quota and accounting headers of a response, by their lower-case names. */
export function budgetHeaders(headers: Headers): Record<string, string> {
  const named = [...headers].filter(([name]) => /^x-request-cost$|^x-usage-accounting$|ratelimit|quota/.test(name));
  return Object.fromEntries(named);
}
