import type { Log, OperationContext, Principal } from "../context.ts";
import { authenticate, credentialEntry } from "../auth/authenticate.ts";
import type { MeterVerdict } from "../ports/meter.ts";
import type { Runtime } from "../runtime.ts";
import { attempt, attemptLater, valueOf } from "../lib/attempt.ts";
import { admitIp, admitUser } from "./admission.ts";
import { packAnswer, type Answer } from "./answer.ts";
import type { AnswerMemory } from "./answer-memory.ts";
import { ApiError } from "./errors.ts";
import { readHot } from "./hot-read.ts";
import type { ListOperation, Operation, SingleOperation } from "./operation.ts";
import { parsePath } from "./path-params.ts";
import { applyQuery, type AppliedQuery } from "./query-policy.ts";
import { parseBody, readJsonBody } from "./read-body.ts";
import { presentAnswer, presentText, type Asked } from "./respond.ts";
import { runHandler, type ParsedInput } from "./run-handler.ts";
import { runIdempotent } from "./run-idempotent.ts";

const DEADLINE_MS = 30_000;

export interface Exchange {
  readonly request: Request;
  readonly url: URL;
  readonly requestId: string;
  readonly startedAt: Date;
  readonly runtime: Runtime;
  readonly answers: AnswerMemory;
  readonly log: Log;
  /** Who shares the per-IP budget. */
  readonly ip: string;
  /** Headers that every outcome from here on carries: the budgets that were spent, the usage record. */
  readonly headers: Headers;
  /** Runs work after the answer has been sent. */
  readonly later: (work: Promise<unknown>) => void;
}

/** Takes one request through an operation: budgets, query, credential, cache, body, handler, envelope. */
export function runOperation(operation: Operation, exchange: Exchange): Promise<Response> {
  return withDeadline(answerOperation(operation, exchange));
}

async function answerOperation(operation: Operation, exchange: Exchange): Promise<Response> {
  const { request, url, runtime, startedAt } = exchange;
  const query = attempt(() => applyQuery(operation, url.search.slice(1), request.headers.get("x-query-validation") === "strict"));
  const credential = operation.access === "key" ? await attemptLater(credentialEntry(request, url, runtime.config)) : null;
  const keys = {
    credential: credential?.ok ? credential.value : null,
    answer: operation.cacheSeconds > 0 && query.ok ? keyOfAnswer(operation, url, query.value) : null,
    cacheSeconds: operation.cacheSeconds,
  };
  // Issued together, so that they travel together.
  const [ip, hot] = await Promise.all([
    runtime.ipBudget.spend(exchange.ip, operation.ipBudget ?? "shared"),
    readHot(runtime.cache, exchange.answers, keys, startedAt),
  ]);
  admitIp(ip, exchange.headers, startedAt);
  // A key that is missing, malformed or in the URL is refused before anything else is looked at.
  const key = credential === null ? null : valueOf(credential);
  const applied = valueOf(query);
  if (operation.kind === "redirect") {
    return new Response(null, { status: operation.status, headers: { Location: operation.location(contextOf(exchange, null, null)) } });
  }
  const params = parsePath(operation, url.pathname);
  const principal =
    key === null ? null : await authenticate({ key, stored: hot.credential }, operation, runtime, startedAt, exchange.later);
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
  if (hot.answer !== null) {
    const age = Math.max(0, Math.floor((startedAt.getTime() - hot.answer.storedAtMs) / 1000));
    return presentAnswer(asked, hot.answer, age);
  }
  const context = contextOf(exchange, principal, admission);
  if (operation.kind === "text") return presentText(asked, await operation.handle({ params, query: applied.values }, context));
  const { body, raw } = early ?? (await readBody(operation, request));
  const answer = await runOnceOrAgain(operation, exchange, { params, query: applied, body }, raw, context);
  if (keys.answer !== null) {
    exchange.answers.keep(keys.answer, answer, operation.cacheSeconds);
    exchange.later(runtime.cache.set(keys.answer, packAnswer(answer), operation.cacheSeconds).catch(() => undefined));
  }
  return presentAnswer(asked, answer, null);
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

/** Answers depend on nothing but path, filters and page, so everyone shares them; an alias with its own `object` has its own. */
function keyOfAnswer(operation: Operation, url: URL, query: AppliedQuery): string {
  return `answer:${operation.id}:${url.pathname}:${query.filters}:${String(query.values["limit"] ?? "")}:${query.cursor ?? ""}`;
}

function contextOf(
  { requestId, startedAt, runtime, log }: Exchange,
  principal: Principal | null,
  admission: MeterVerdict | null,
): OperationContext {
  const { config, db, cache, wait } = runtime;
  return { principal, admission, requestId, now: startedAt, config, db, cache, log, wait };
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
