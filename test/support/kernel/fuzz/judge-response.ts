import type { KernelResponse } from "../open-kernel.ts";
import { ERRORS } from "../../../../src/api/errors.ts";
import { DOCUMENT, departuresFrom, operationsAt, takesSession, type DocumentSchema } from "./document.ts";
import type { FuzzedRequest } from "./fuzzed-requests.ts";

/** Addresses that are always over their budgets. */
export const REFUSED_IPS = { "203.0.113.1": "limited", "2001:db8::1": "throttled" } as const;

const ERROR = DOCUMENT.components.schemas["Error"] as DocumentSchema;

/** Statuses and schemas that a response may have. */
interface Expectation {
  readonly statuses: readonly number[];
  /** Null when the response has no body. */
  readonly schemaOf: (status: number) => DocumentSchema | null;
  /** Whether a success is a Markdown document. */
  readonly isText?: boolean;
}

/** The differences between a response and the documented responses of its request. */
export function judgeResponse(request: FuzzedRequest, answer: KernelResponse): string[] {
  const { statuses, schemaOf, isText = false } = expectedOf(request);
  if (!statuses.includes(answer.status))
    return [`status ${answer.status} is none of ${statuses.join(", ")}: ${answer.text.slice(0, 300)}`];
  const schema = request.method === "HEAD" ? null : schemaOf(answer.status);
  if (!/^req_\w+$/.test(answer.headers.get("x-request-id") ?? "")) return ["no X-Request-Id"];
  if (isText && request.method === "GET" && answer.status === 200)
    return answer.text.startsWith("# ") ? [] : ["no document"];
  if (schema === null) return answer.text === "" ? [] : [`status ${answer.status} has a body`];
  return [
    ...departuresFrom(schema, answer.body),
    ...(answer.body.meta?.request_id === answer.headers.get("x-request-id") ? [] : ["another request id in the body"]),
    ...(answer.status < 400 ? [] : errorFaults(answer)),
  ];
}

function expectedOf({ method, target, headers }: FuzzedRequest): Expectation {
  const operations = operationsAt(new URL(`http://api.test${target}`).pathname);
  const operation = operations?.[method === "HEAD" ? "get" : method.toLowerCase()];
  // A request that matches no operation is refused by the address budget alone.
  if (operation === undefined && (headers["cf-connecting-ip"] ?? "") in REFUSED_IPS)
    return { statuses: [429], schemaOf: () => ERROR };
  if (operations === null) return { statuses: [404], schemaOf: () => ERROR };
  // The website refuses requests of other websites and other media types before it judges the method.
  const isOfWebsite = Object.values(operations).some(takesSession);
  if (method === "OPTIONS")
    return {
      statuses: isOfWebsite ? [204, 403] : [204],
      schemaOf: (status) => (status === 204 ? null : ERROR),
    };
  if (operation === undefined) return { statuses: isOfWebsite ? [403, 405, 415] : [405], schemaOf: () => ERROR };
  return {
    // A server error is documented but never correct here.
    statuses: Object.keys(operation.responses)
      .map(Number)
      .filter((status) => status !== 500),
    schemaOf: (status) => operation.responses[status]?.content?.["application/json"]?.schema ?? null,
    isText: operation.responses["200"]?.content?.["text/markdown"] !== undefined,
  };
}

/** The seeded API has all its services: only request accounting is ever made unavailable. */
function errorFaults({ status, headers, body }: KernelResponse): string[] {
  const { code, reason } = body.error;
  const row = Object.entries(ERRORS).find(
    ([name, known]) => known.status === status && (known.published ? name === reason : known.code === code),
  );
  return [
    ...(row === undefined ? [`${status} ${code} ${reason} is not in the catalogue`] : []),
    ...(status === 503 && reason !== "request_accounting_unavailable"
      ? [`${reason}, though every service is available`]
      : []),
    ...((status === 429 || status === 503) !== headers.has("retry-after")
      ? ["Retry-After does not match the status"]
      : []),
  ];
}
