import fc, { type Arbitrary } from "fast-check";
import { takesSession, type DocumentedOperation } from "./document.ts";
import { oneOf } from "./one-of.ts";
import { targetOf, type KnownTexts } from "./targets.ts";
import { mutationOf, valueOf } from "./values.ts";

export interface FuzzedRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Set on a request from a page of the website: the cookies that it sends. */
  readonly cookies?: string;
}

/** The values from which requests to the fuzzed API are built. */
export interface KnownValues extends KnownTexts {
  /** Values of the Authorization header, good and bad. */
  readonly credentials: readonly string[];
  readonly goodCredential: string;
  /** Addresses over their budgets. */
  readonly addresses: readonly string[];
  /** The cookies of a signed-in browser. */
  readonly session: string;
}

/** The methods that the runtime's Request accepts. */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "SEARCH", "LOCK"];
const API_ORIGINS = ["https://anyone.test", "null", ""];
const WEB_ORIGINS = ["http://web.test", "http://web.test", "http://web.test", "https://anyone.test", "null"];

const cookiesOf = ({ session }: KnownValues): Arbitrary<string> =>
  oneOf([9, fc.constant(session)], [1, fc.constantFrom("", "__Host-svc.session_token=x", `${session}x`)]);

function headersOf(known: KnownValues, origins: readonly string[]): Arbitrary<Record<string, string>> {
  const credential = oneOf([12, fc.constant(known.goodCredential)], [4, fc.constantFrom(...known.credentials)]);
  const anyText = fc
    .string({ unit: fc.constantFrom(...'aZ09 ,;="*/W-_.'.split("")), maxLength: 30 })
    .map((text) => text.trim());
  return fc
    .record(
      {
        authorization: oneOf([15, credential], [1, anyText]),
        "x-query-validation": oneOf([1, fc.constant("strict")], [2, anyText]),
        "if-none-match": oneOf([2, fc.constant("*")], [2, fc.constantFrom("W/", 'W/"0"', '"a", *')], [1, anyText]),
        "content-type": oneOf([3, fc.constant("application/json")], [1, anyText]),
        "idempotency-key": oneOf([2, fc.constantFrom("k1", "k2")], [1, anyText]),
        "cf-connecting-ip": oneOf(
          [1, fc.constantFrom(...known.addresses)],
          [12, fc.constant("203.0.113.200")],
          [1, anyText],
        ),
        origin: fc.constantFrom(...origins),
        accept: anyText,
        ...(origins === API_ORIGINS ? { cookie: anyText } : {}),
      },
      { requiredKeys: ["authorization"] },
    )
    .map((headers) => Object.fromEntries(Object.entries(headers).filter(([, value]) => isHeaderValue(value))));
}

// The runtime warns about other values; what a client sends below this level is tested over raw sockets.
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

/** A request to an operation of the document, or a slightly wrong one. */
export function fuzzedRequestTo(
  path: string,
  method: string,
  operation: DocumentedOperation,
  known: KnownValues,
): Arbitrary<FuzzedRequest> {
  return fc
    .record({
      method: oneOf([20, fc.constant(method.toUpperCase())], [3, fc.constantFrom(...METHODS)]),
      target: targetOf(path, operation.parameters ?? [], known),
      headers: headersOf(known, takesSession(operation) ? WEB_ORIGINS : API_ORIGINS),
      ...(takesSession(operation) ? { cookies: cookiesOf(known) } : {}),
      body: bodyOf(operation),
    })
    .map((request) => (["GET", "HEAD"].includes(request.method) ? { ...request, body: null } : request));
}
