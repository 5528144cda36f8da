import type { Member, OperationContext } from "../../context.ts";
import { presentedHashes } from "../../auth/authenticate.ts";
import { authenticateSession } from "../../auth/authenticate-session.ts";
import { Caller } from "../../auth/caller.ts";
import type { AccessRequirement } from "../../domain/accounts/decide-access.ts";
import { toResult, toResultAsync, unwrap } from "../../lib/result.ts";
import { admitCaller, admitIp } from "./admission.ts";
import type { SerializedResponse } from "../cache/serialized-response.ts";
import { singleFlight } from "../cache/single-flight.ts";
import { ApiError } from "../errors.ts";
import type { Exchange } from "../exchange.ts";
import { packCacheEntry, readCaches, type CacheSlot, type CacheLookup } from "../cache/read-caches.ts";
import type { ListOperation, Operation, SingleOperation } from "../operation.ts";
import { requireFirstParty } from "../request/first-party.ts";
import { parsePath } from "../request/path-params.ts";
import { applyQuery, type AppliedQuery } from "../request/query-policy.ts";
import { parseBody, readJsonBody } from "../request/read-body.ts";
import { openStream } from "./open-stream.ts";
import {
  describeDeprecation,
  presentResponse,
  presentRedirect,
  presentStream,
  presentText,
  type ResponseContext,
} from "../response/respond.ts";
import type { Reply } from "../response/reply.ts";
import { runHandler, type ParsedInput } from "./run-handler.ts";
import { runIdempotent } from "./run-idempotent.ts";
import { withTimeout } from "../../lib/timing/with-timeout.ts";

export const DEADLINE_MS = 30_000;
const NO_CALLER = { principal: null, member: null, admission: null };

/** Runs one request through an operation: budgets, query, credential, cache, body, handler, envelope. */
export function runOperation(operation: Operation, exchange: Exchange): Promise<Reply> {
  return withTimeout(handleOperation(operation, exchange), DEADLINE_MS, () => new ApiError("request_timeout"));
}

async function handleOperation(operation: Operation, exchange: Exchange): Promise<Reply> {
  const { request, url, runtime, startedAt } = exchange;
  const query = toResult(() =>
    applyQuery(operation, url.search.slice(1), request.headers.get("x-query-validation") === "strict"),
  );
  const hashes = operation.access === "key" ? await toResultAsync(presentedHashes(request, url, runtime)) : null;
  const slot = query.ok ? cacheSlotOf(operation, url, query.value) : null;
  // The lookup goes on beside the call to the meter.
  const lookup = toResultAsync(readCaches(exchange.caches, slot, startedAt.getTime(), exchange.waitUntil));
  const caller =
    hashes === null || !hashes.ok
      ? null
      : new Caller(hashes.value, {
          requirement: requirementOf(operation, exchange),
          runtime,
          now: startedAt,
          waitUntil: exchange.waitUntil,
        });
  const ip = await runtime.ipBudget.spend(exchange.ip, operation.ipBudget ?? "shared", {
    key: caller,
    waitUntil: exchange.waitUntil,
  });
  admitIp(ip, exchange.headers, startedAt);
  const member = operation.access === "session" ? await admitMember(operation, exchange) : null;
  // A key that is missing, malformed or in the URL is refused before query, path and body are judged, and so
  // is a request without a session.
  if (hashes !== null) unwrap(hashes);
  const applied = unwrap(query);
  const params = parsePath(operation, url.pathname);
  const earlyBody = await readEarlyBody(operation, request, caller);
  const batchUnits =
    operation.kind === "single" && earlyBody !== null ? (operation.batchUnits?.(earlyBody.body) ?? null) : null;
  const admitted = caller === null ? null : await admitCaller(caller, { operation, batchUnits }, exchange);
  if (admitted !== null && operation.reportsAccounting !== false)
    exchange.headers.set("X-Usage-Accounting", admitted.admission.accounting ?? "unknown");
  const principal = admitted?.principal ?? null;
  if (operation.kind === "retired")
    throw new ApiError("operation_retired", { headers: describeDeprecation(operation.alias, url.pathname) });
  const responseContext: ResponseContext = {
    operation,
    query: applied,
    pathname: url.pathname,
    ifNoneMatch: request.headers.get("if-none-match"),
    requestId: exchange.requestId,
    // A batch states its cost in its own `meta`.
    cost: batchUnits === null ? operation.cost : null,
  };
  const cached = unwrap(await lookup);
  if (cached.response !== null) {
    exchange.trace.cache = "hit";
    return presentResponse(responseContext, cached.response, ageSeconds(cached.response, startedAt.getTime()));
  }
  // A response shared by all callers must not depend on the caller, so its handler gets no principal.
  const context =
    slot === null
      ? contextOf(exchange, { principal, member, admission: admitted?.admission ?? null })
      : contextOf(exchange);
  if (operation.kind === "redirect")
    return presentRedirect(operation, await operation.location({ params, query: applied.values }, context));
  if (operation.kind === "text")
    return presentText(responseContext, await operation.handle({ params, query: applied.values }, context));
  if (operation.kind === "stream")
    return presentStream(
      responseContext,
      await openStream(operation, { params, query: applied }, exchange, { ...context, caller }),
    );
  const { body, raw } = earlyBody ?? (await readBody(operation, request));
  const compute = () => runOrReplay(operation, exchange, { params, query: applied, body }, raw, context);
  if (slot === null) return presentResponse(responseContext, await compute(), null);
  const { answer, waitedMs } = await computeShared(exchange, slot, cached, compute);
  exchange.trace.cache = waitedMs === null ? "miss" : "shared";
  return presentResponse(
    responseContext,
    answer,
    waitedMs === null ? null : ageSeconds(answer, startedAt.getTime() + waitedMs),
  );
}

/** What an operation requires of a credential that is presented with this exchange. */
const requirementOf = ({ scope, plan }: Operation, { resource = "api" }: Exchange): AccessRequirement => ({
  scope,
  plan,
  resource,
});

/** Whole seconds since the computation of a response began. Its data was read after that. */
const ageSeconds = (answer: SerializedResponse, now: number): number =>
  Math.max(0, Math.floor((now - answer.storedAtMs) / 1000));

/**
 * Computes a shared response: once for the concurrent requests of this isolate, and for later ones through
 * the caches.
 */
function computeShared(
  { caches: { responseCache, sharedResponses }, runtime, startedAt, waitUntil }: Exchange,
  slot: CacheSlot,
  { tagVersions }: CacheLookup,
  run: () => Promise<SerializedResponse>,
) {
  const runAndStore = async () => {
    const answer = await run();
    responseCache.set(slot.key, { response: answer, tagVersions }, slot);
    if (tagVersions !== null)
      waitUntil(sharedResponses.set(slot.key, packCacheEntry({ response: answer, tagVersions }), slot.ttlSeconds));
    return answer;
  };
  const compute = () => {
    const computation = runAndStore();
    // Other requests may wait for the response after this client has disconnected.
    waitUntil(computation.catch(() => undefined));
    return computation;
  };
  return singleFlight({
    responseCache,
    slot: slot,
    tagVersions,
    now: startedAt.getTime(),
    wait: runtime.wait,
    compute: compute,
  });
}

/** Runs the handler, or replays the outcome of the first request with the same Idempotency-Key. */
async function runOrReplay(
  operation: SingleOperation | ListOperation,
  { request, url, waitUntil }: Exchange,
  input: ParsedInput,
  rawBody: unknown,
  context: OperationContext,
): Promise<SerializedResponse> {
  const key = request.headers.get("idempotency-key");
  const accountId = (context.principal ?? context.member)?.accountId;
  if (operation.kind === "list" || !operation.idempotent || key === null || accountId === undefined) {
    return runHandler(operation, input, context);
  }
  const outcome = runIdempotent(
    operation,
    { key, target: url.pathname + url.search, rawBody, accountId },
    input,
    context,
  );
  // The outcome is stored even when the request has already ended at its deadline.
  waitUntil(outcome.catch(() => undefined));
  return outcome;
}

interface ReadBody {
  readonly body: unknown;
  /** As sent, before schema parsing. */
  readonly raw: unknown;
}

async function readBody(operation: SingleOperation | ListOperation, request: Request): Promise<ReadBody> {
  if (operation.kind === "list" || operation.body === undefined) return { body: null, raw: null };
  const raw = operation.isBodyOptional && request.body === null ? {} : await readJsonBody(request);
  return { body: parseBody(operation.body, raw), raw };
}

/**
 * The body of a batch, which is read before admission, because it determines the units to reserve. A refused credential
 * is reported before an invalid body.
 *
 * @returns null for other operations
 */
async function readEarlyBody(operation: Operation, request: Request, caller: Caller | null): Promise<ReadBody | null> {
  if (operation.kind !== "single" || operation.batchUnits === undefined) return null;
  // An unknown key ends here, before its body is read.
  await caller?.identify();
  const body = await toResultAsync(readBody(operation, request));
  if (!body.ok) await caller?.authorize();
  return unwrap(body);
}

/**
 * The signed-in account, which also spends its own budget. A request that another website may have caused is
 * refused first.
 */
async function admitMember(operation: Operation, { request, runtime, readSession, trace }: Exchange): Promise<Member> {
  requireFirstParty(request, new URL(runtime.config.webBaseUrl).origin);
  const member = await authenticateSession(await readSession(request.headers), operation, runtime);
  trace.accountId = member.accountId;
  return member;
}

/**
 * The cache slot of a request. Cached responses depend only on path, filters and page, so all callers share
 * them; a deprecated spelling has its own. Null where responses are not cached.
 */
function cacheSlotOf(operation: Operation, url: URL, query: AppliedQuery): CacheSlot | null {
  const { id, cacheSeconds, cacheTags = [], staleWhileRevalidate = false, bypassCacheParam } = operation;
  if (cacheSeconds === 0 || (bypassCacheParam !== undefined && query.values[bypassCacheParam] !== null)) return null;
  const page = `${String(query.values["limit"] ?? "")}:${query.cursor ?? ""}`;
  return {
    key: `answer:${id}:${url.pathname}:${query.filters}:${page}`,
    ttlSeconds: cacheSeconds,
    cacheTags,
    staleWhileRevalidate,
  };
}

function contextOf(
  { requestId, startedAt, runtime, log }: Exchange,
  caller: Pick<OperationContext, "principal" | "member" | "admission"> = NO_CALLER,
): OperationContext {
  const { config, db, cache, meter, webhooks, holderScanner, exports, wait } = runtime;
  return {
    ...caller,
    requestId,
    now: startedAt,
    config,
    db,
    cache,
    meter,
    webhooks,
    holderScanner,
    exports,
    log,
    wait,
  };
}
