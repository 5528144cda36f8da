import fc, { type Arbitrary } from "fast-check";
import type { DocumentedOperation } from "./document.ts";
import { oneOf } from "./one-of.ts";
import { targetOf, type KnownTexts } from "./targets.ts";
import { mutationOf, valueOf } from "./values.ts";

export interface FuzzedRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** What requests to the fuzzed API can be made of. */
export interface Known extends KnownTexts {
  /** Values of the Authorization header, good and bad. */
  readonly credentials: readonly string[];
  readonly goodCredential: string;
  /** Callers over their budgets. */
  readonly addresses: readonly string[];
}

/** Those that the runtime's Request takes. */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "SEARCH", "LOCK"];
function headersOf(known: Known): Arbitrary<Record<string, string>> {
  const credential = oneOf([12, fc.constant(known.goodCredential)], [4, fc.constantFrom(...known.credentials)]);
  const anyText = fc.string({ unit: fc.constantFrom(...'aZ09 ,;="*/W-_.'.split("")), maxLength: 30 }).map((text) => text.trim());
  return fc
    .record(
      {
        authorization: oneOf([15, credential], [1, anyText]),
        "x-query-validation": oneOf([1, fc.constant("strict")], [2, anyText]),
        "if-none-match": oneOf([2, fc.constant("*")], [2, fc.constantFrom("W/", 'W/"0"', '"a", *')], [1, anyText]),
        "content-type": oneOf([3, fc.constant("application/json")], [1, anyText]),
        "idempotency-key": oneOf([2, fc.constantFrom("k1", "k2")], [1, anyText]),
        "cf-connecting-ip": oneOf([1, fc.constantFrom(...known.addresses)], [12, fc.constant("203.0.113.200")], [1, anyText]),
        origin: fc.constantFrom("https://anyone.test", "null", ""),
        accept: anyText,
        cookie: anyText,
      },
      { requiredKeys: ["authorization"] },
    )
    .map((headers) => Object.fromEntries(Object.entries(headers).filter(([, value]) => isHeaderValue(value))));
}

// The runtime warns of others; what a client sends beneath it is tested over raw sockets.
const isHeaderValue = (text: string) => /^[\t\x20-\x7e]*$/.test(text);

function bodyOf({ requestBody }: DocumentedOperation): Arbitrary<string | null> {
  const schema = requestBody?.content?.["application/json"]?.schema;
  const documented = schema === undefined ? fc.json() : valueOf(schema).map((value) => JSON.stringify(value));
  return oneOf<string | null>(
    [6, documented],
    [2, mutationOf(documented)],
    [1, fc.json()],
    [1, fc.string({ unit: "binary" })],
    [1, fc.constant(null)],
  );
}

/** A request to an operation of the document, or nearly so. */
export function requestTo(path: string, method: string, operation: DocumentedOperation, known: Known): Arbitrary<FuzzedRequest> {
  return fc
    .record({
      method: oneOf([20, fc.constant(method.toUpperCase())], [3, fc.constantFrom(...METHODS)]),
      target: targetOf(path, operation.parameters ?? [], known),
      headers: headersOf(known),
      body: bodyOf(operation),
    })
    .map((request) => (["GET", "HEAD"].includes(request.method) ? { ...request, body: null } : request));
}
