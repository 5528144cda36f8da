import type { Answer } from "../open-kernel.ts";
import { ERRORS } from "../../../../src/api/errors.ts";
import { DOCUMENT, departuresFrom, operationsAt, type Schema } from "./document.ts";
import type { FuzzedRequest } from "./requests.ts";

/** Over their budgets, whatever they ask. */
export const REFUSED_ADDRESSES = { "203.0.113.1": "limited", "2001:db8::1": "throttled" } as const;

const ERROR = DOCUMENT.components.schemas["Error"] as Schema;

/** What an answer has, besides bodies of documented shapes. */
interface Expected {
  readonly statuses: readonly number[];
  /** Null when the answer has no body. */
  readonly schemaOf: (status: number) => Schema | null;
  /** Whether a success is a Markdown document. */
  readonly isText?: boolean;
}

/** In what an answer departs from what the document says of its request. */
export function judgeAnswer(request: FuzzedRequest, answer: Answer): string[] {
  const { statuses, schemaOf, isText = false } = expectedOf(request);
  if (!statuses.includes(answer.status)) return [`status ${answer.status} is none of ${statuses.join(", ")}: ${answer.text.slice(0, 300)}`];
  const schema = request.method === "HEAD" ? null : schemaOf(answer.status);
  if (!/^req_\w+$/.test(answer.headers.get("x-request-id") ?? "")) return ["no X-Request-Id"];
  if (isText && request.method === "GET" && answer.status === 200) return answer.text.startsWith("# ") ? [] : ["no document"];
  if (schema === null) return answer.text === "" ? [] : [`status ${answer.status} has a body`];
  return [
    ...departuresFrom(schema, answer.body),
    ...(answer.body.meta?.request_id === answer.headers.get("x-request-id") ? [] : ["another request id in the body"]),
    ...(answer.status < 400 ? [] : faultsOfRefusal(answer)),
  ];
}

function expectedOf({ method, target, headers }: FuzzedRequest): Expected {
  const operations = operationsAt(new URL(`http://api.test${target}`).pathname);
  const operation = operations?.[method === "HEAD" ? "get" : method.toLowerCase()];
  // What no operation takes is refused by the budget of the address alone.
  if (operation === undefined && (headers["cf-connecting-ip"] ?? "") in REFUSED_ADDRESSES)
    return { statuses: [429], schemaOf: () => ERROR };
  if (operations === null) return { statuses: [404], schemaOf: () => ERROR };
  if (method === "OPTIONS") return { statuses: [204], schemaOf: () => null };
  if (operation === undefined) return { statuses: [405], schemaOf: () => ERROR };
  return {
    // A server's fault is documented and never right.
    statuses: Object.keys(operation.responses)
      .map(Number)
      .filter((status) => status !== 500),
    schemaOf: (status) => operation.responses[status]?.content?.["application/json"]?.schema ?? null,
    isText: operation.responses["200"]?.content?.["text/markdown"] !== undefined,
  };
}

/** Everything the seeded API needs is there: nothing but the accounting is ever told to be away. */
function faultsOfRefusal({ status, headers, body }: Answer): string[] {
  const { code, reason } = body.error;
  const row = Object.entries(ERRORS).find(
    ([name, known]) => known.status === status && (known.published ? name === reason : known.code === code),
  );
  return [
    ...(row === undefined ? [`${status} ${code} ${reason} is not in the catalogue`] : []),
    ...(status === 503 && reason !== "request_accounting_unavailable" ? [`${reason}, though nothing is away`] : []),
    ...((status === 429 || status === 503) !== headers.has("retry-after") ? ["Retry-After is not where it belongs"] : []),
  ];
}
