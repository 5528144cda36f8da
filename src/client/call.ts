import { ClientError, ConnectionError, InvalidResponseError, TimeoutError, type ApiError } from "./api-error.ts";
import { buildRequest, type OperationFacts } from "./build-request.ts";
import type { ClientSettings } from "./client-settings.ts";
import { decideRetry } from "./decide-retry.ts";
import { httpFactsOf } from "./http-facts.ts";
import type { CallOptions } from "./operation-types.ts";
import { objectOf, parseJson, readError } from "./read-error.ts";

type Params = Readonly<Record<string, unknown>>;

/** Calls an operation, with repeats. @throws ApiError, ConnectionError, InvalidResponseError, or the signal's reason */
export async function call(
  settings: ClientSettings,
  operation: OperationFacts,
  params: Params = {},
  options: CallOptions = {},
): Promise<unknown> {
  const { idempotencyKey: key, maxRetries = settings.maxRetries, signal } = options;
  if (key !== undefined && !operation.has("i"))
    throw new ClientError(`${operation.method} ${operation.path} takes no idempotencyKey`);
  const request = buildRequest(operation, params);
  const attempted = {
    isRead: operation.method === "GET" || operation.has("r"),
    hasIdempotencyKey: key !== undefined,
    maxRetries,
    maxWaitMs: settings.maxWaitMs,
  };
  for (let attempt = 0; ; attempt++) {
    try {
      const init = {
        method: operation.method,
        headers: await headersOf(settings, operation, request.body, options),
        ...(request.body === undefined ? {} : { body: request.body }),
      };
      return await exchange(settings, `${settings.baseUrl}${request.target}`, init, operation, options);
    } catch (error) {
      const waitMs = decideRetry(error, { ...attempted, attempt }, settings.random());
      if (waitMs === null) throw error;
      await settings.sleep(waitMs, signal);
    }
  }
}

export async function headersOf(
  settings: ClientSettings,
  operation: OperationFacts,
  body: string | undefined,
  { idempotencyKey, ifNoneMatch, strict = settings.strict, headers = {} }: CallOptions,
): Promise<Record<string, string>> {
  const key = await settings.apiKey();
  return {
    accept: operation.has("t") ? "text/markdown, */*;q=0.1" : "application/json",
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(body !== undefined && { "content-type": "application/json" }),
    ...(strict && { "x-query-validation": "strict" }),
    ...(ifNoneMatch !== undefined && { "if-none-match": ifNoneMatch }),
    ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
    ...headers,
  };
}

/** One attempt. */
async function exchange(
  settings: ClientSettings,
  url: string,
  init: RequestInit,
  operation: OperationFacts,
  { signal, timeoutMs = settings.timeoutMs }: CallOptions,
): Promise<unknown> {
  const { response, text } = await withTimeout(timeoutMs, signal, async (own) => {
    // Redirects are not followed: the key must reach no other origin.
    const answered = await settings.fetch(url, { ...init, redirect: "manual", signal: own });
    return { response: answered, text: await answered.text() };
  });
  return readAnswer(response, url, text, operation, settings.now());
}

/** Runs a request under a time limit. Any failure of it is a ConnectionError, unless the caller aborted. */
export async function withTimeout<T>(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const limit = new AbortController();
  const onAbort = () => limit.abort(signal?.reason);
  signal?.addEventListener("abort", onAbort);
  const timer = setTimeout(() => limit.abort(new TimeoutError(`no response within ${timeoutMs} ms`)), timeoutMs);
  try {
    return await run(limit.signal);
  } catch (error) {
    // Runtimes reject with errors of their own after an abort.
    limit.signal.throwIfAborted();
    throw new ConnectionError(error instanceof Error ? error.message : String(error), { cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

function readAnswer(response: Response, url: string, text: string, operation: OperationFacts, nowMs: number): unknown {
  const { status, headers } = response;
  const http = httpFactsOf(response);
  if (status === 304) return { object: "not_modified", data: null, http };
  if (operation.has("d") && !response.ok)
    return readRedirect(response, () => readError(status, headers, text, nowMs), http);
  // The sandbox serves its API document itself.
  if (operation.has("d")) return { object: "redirect", location: url, http };
  if (!response.ok) throw readError(status, headers, text, nowMs);
  if (operation.has("t")) return { object: "text", text, http };
  if (operation.has("j") && status === 202) return withFacts({}, http);
  const body = objectOf(parseJson(text));
  if (operation.has("j") ? body["jsonrpc"] !== "2.0" : !("object" in body && "data" in body))
    throw new InvalidResponseError(`${operation.method} ${operation.path} responded ${status} with another body`);
  return withFacts(body, http);
}

function readRedirect(response: Response, errorOf: () => ApiError, http: unknown): unknown {
  if (isHidden(response)) throw new InvalidResponseError("Browsers hide redirects: use client.files");
  const location = response.headers.get("location");
  if (response.status >= 400) throw errorOf();
  if (response.status < 300 || location === null)
    throw new InvalidResponseError(`The server responded ${response.status} instead of a redirect`);
  return { object: "redirect", location, http };
}

/** Pages of a browser cannot read the headers of a redirect. The types of Workers do not have this case. */
export const isHidden = ({ type }: { readonly type: string }): boolean => type === "opaqueredirect";

/** Not enumerable: printing or storing an answer stores its body. */
const withFacts = (body: object, http: unknown): unknown => Object.defineProperty(body, "http", { value: http });
