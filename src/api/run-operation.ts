import type { OperationContext, Principal } from "../context.ts";
import { credentialEntry } from "../auth/authenticate.ts";
import { Caller } from "../auth/caller.ts";
import type { MeterVerdict } from "../ports/meter.ts";
import { attempt, attemptLater, valueOf } from "../lib/attempt.ts";
import { admitIp, admitUser } from "./admission.ts";
import type { Answer } from "./answer.ts";
import { answerOnce } from "./answer-once.ts";
import { ApiError } from "./errors.ts";
import type { Exchange } from "./exchange.ts";
import { packHeld, readHot, type AnswerPlace, type Hot } from "./hot-read.ts";
import type { ListOperation, Operation, SingleOperation } from "./operation.ts";
import { parsePath } from "./path-params.ts";
import { applyQuery, type AppliedQuery } from "./query-policy.ts";
import { parseBody, readJsonBody } from "./read-body.ts";
import { openStream } from "./open-stream.ts";
import { presentAnswer, presentRedirect, presentStream, presentText, type Asked } from "./respond.ts";
import { runHandler, type ParsedInput } from "./run-handler.ts";
import { runIdempotent } from "./run-idempotent.ts";

const DEADLINE_MS = 30_000;

/** Takes one request through an operation: budgets, query, credential, cache, body, handler, envelope. */
export function runOperation(operation: Operation, exchange: Exchange): Promise<Response> {
  return withDeadline(answerOperation(operation, exchange));
}

async function answerOperation(operation: Operation, exchange: Exchange): Promise<Response> {
  const { request, url, runtime, startedAt } = exchange;
  const query = attempt(() => applyQuery(operation, url.search.slice(1), request.headers.get("x-query-validation") === "strict"));
  const credential = operation.access === "key" ? await attemptLater(credentialEntry(request, url, runtime.config)) : null;
  const place = query.ok ? placeOfAnswer(operation, url, query.value) : null;
  const keys = { credential: credential?.ok ? credential.value : null, answer: place };
  // Issued together, so that they travel together.
  const reading = readHot(runtime.cache, exchange.answers, keys, startedAt.getTime());
  const caller =
    keys.credential === null
      ? null
      : new Caller(keys.credential, reading, { requirement: operation, runtime, now: startedAt, later: exchange.later });
  const [ip, hot] = await Promise.all([runtime.ipBudget.spend(exchange.ip, operation.ipBudget ?? "shared", caller), reading]);
  admitIp(ip, exchange.headers, startedAt);
  // A key that is missing, malformed or in the URL is refused before anything else is looked at.
  const key = credential === null ? null : valueOf(credential);
  const applied = valueOf(query);
  if (operation.kind === "redirect") {
    return presentRedirect(operation, operation.location(contextOf(exchange, null, null)));
  }
  const params = parsePath(operation, url.pathname);
  const principal = caller === null ? null : await caller.authenticate();
  // A batch's units are counted from its body; any other body is read once the request is admitted.
  const early = operation.kind === "single" && operation.batchUnits !== undefined ? await readBody(operation, request) : null;
  const batchUnits = operation.kind === "single" && early !== null ? (operation.batchUnits?.(early.body) ?? null) : null;
  const admission = principal === null ? null : await admit(operation, exchange, principal, batchUnits);
  const asked: Asked = {
    operation,
    query: applied,
    pathname: url.pathname,
    ifNoneMatch: request.headers.get("if-none-match"),
    requestId: exchange.requestId,
    // A batch says in its own words what it cost.
    cost: batchUnits === null ? operation.cost : null,
  };
  if (hot.answer !== null) return presentAnswer(asked, hot.answer, ageSeconds(hot.answer, startedAt.getTime()));
  // What everybody is given rests on nobody's plan, scopes or name.
  const context = place === null ? contextOf(exchange, principal, admission) : contextOf(exchange, null, null);
  if (operation.kind === "text") return presentText(asked, await operation.handle({ params, query: applied.values }, context));
  if (operation.kind === "stream")
    return presentStream(asked, await openStream(operation, { params, query: applied }, exchange, { ...context, key }));
  const { body, raw } = early ?? (await readBody(operation, request));
  const make = () => runOnceOrAgain(operation, exchange, { params, query: applied, body }, raw, context);
  if (place === null) return presentAnswer(asked, await make(), null);
  const { answer, waitedMs } = await answerForAll(exchange, place, hot, make);
  return presentAnswer(asked, answer, waitedMs === null ? null : ageSeconds(answer, startedAt.getTime() + waitedMs));
}

/** Whole seconds since an answer's making began, when what it shows was not yet read. */
const ageSeconds = (answer: Answer, now: number): number => Math.max(0, Math.floor((now - answer.storedAtMs) / 1000));

/** Makes an answer that others will be given too: once for those of this isolate who wait for it, and then for those who come later. */
function answerForAll(
  { answers, runtime, startedAt, later }: Exchange,
  place: AnswerPlace,
  { generation }: Hot,
  run: () => Promise<Answer>,
) {
  const runAndKeep = async () => {
    const answer = await run();
    answers.keep(place.key, { answer, generation }, place);
    if (generation !== null) later(runtime.cache.set(place.key, packHeld({ answer, generation }), place.seconds).catch(() => undefined));
    return answer;
  };
  const make = () => {
    const made = runAndKeep();
    // Others may be waiting for it when its own client has gone.
    later(made.catch(() => undefined));
    return made;
  };
  return answerOnce({ answers, place, generation, now: startedAt.getTime(), wait: runtime.wait, make });
}

/** Runs the handler, or with an Idempotency-Key gives the outcome of the first request that had it. */
async function runOnceOrAgain(
  operation: SingleOperation | ListOperation,
  { request, url, later }: Exchange,
  input: ParsedInput,
  rawBody: unknown,
  context: OperationContext,
): Promise<Answer> {
  const key = request.headers.get("idempotency-key");
  const { principal } = context;
  if (operation.kind === "list" || !operation.idempotent || key === null || principal === null) {
    return runHandler(operation, input, context);
  }
  const once = runIdempotent(operation, { key, target: url.pathname + url.search, rawBody, principal }, input, context);
  // Its outcome is kept even when the client has been sent away at the deadline.
  later(once.catch(() => undefined));
  return once;
}

interface ReadBody {
  readonly body: unknown;
  /** As sent, before the schema. */
  readonly raw: unknown;
}

async function readBody(operation: SingleOperation | ListOperation, request: Request): Promise<ReadBody> {
  if (operation.kind === "list" || operation.body === undefined) return { body: null, raw: null };
  const raw = await readJsonBody(request);
  return { body: parseBody(operation.body, raw), raw };
}

async function admit(
  operation: Operation,
  { runtime, headers, startedAt }: Exchange,
  principal: Principal,
  batchUnits: number | null,
): Promise<MeterVerdict> {
  const verdict = await admitUser(runtime.meter, { operation, principal, batchUnits }, headers, startedAt);
  if (operation.reportsAccounting !== false) headers.set("X-Usage-Accounting", verdict.accounting ?? "unknown");
  return verdict;
}

/**
 * Answers depend on nothing but path, filters and page, so everyone shares them; a deprecated spelling has its own. Null where an operation's
 * answers are not kept.
 */
function placeOfAnswer(operation: Operation, url: URL, query: AppliedQuery): AnswerPlace | null {
  const { id, cacheSeconds, restsOn = [], whileRefreshed = false, notCachedWith } = operation;
  if (cacheSeconds === 0 || (notCachedWith !== undefined && query.values[notCachedWith] !== null)) return null;
  const page = `${String(query.values["limit"] ?? "")}:${query.cursor ?? ""}`;
  return { key: `answer:${id}:${url.pathname}:${query.filters}:${page}`, seconds: cacheSeconds, restsOn, whileRefreshed };
}

function contextOf(
  { requestId, startedAt, runtime, log }: Exchange,
  principal: Principal | null,
  admission: MeterVerdict | null,
): OperationContext {
  const { config, db, cache, webhooks, holderScanner, wait } = runtime;
  return { principal, admission, requestId, now: startedAt, config, db, cache, webhooks, holderScanner, log, wait };
}

async function withDeadline<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ApiError("request_timeout")), DEADLINE_MS);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
