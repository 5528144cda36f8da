import type { Log, OperationContext } from "../context.ts";
import { authenticate, credentialEntry } from "../auth/authenticate.ts";
import type { Runtime } from "../runtime.ts";
import { makeAnswer, matchesEtag, packAnswer, presentBody, unpackAnswer, type Answer } from "./answer.ts";
import { openCursor, signCursor, type CursorBinding } from "./cursor.ts";
import type { AnswerMemory } from "./answer-memory.ts";
import { ApiError } from "./errors.ts";
import type { ListOperation, Operation, SingleOperation } from "./operation.ts";
import { fillPath, parsePath } from "./path-params.ts";
import { applyQuery, type AppliedQuery } from "./query-policy.ts";

const DEADLINE_MS = 30_000;

export interface Exchange {
  readonly request: Request;
  readonly url: URL;
  readonly requestId: string;
  readonly startedAt: Date;
  readonly runtime: Runtime;
  readonly answers: AnswerMemory;
  readonly log: Log;
  /** Runs work after the answer has been sent. */
  readonly later: (work: Promise<unknown>) => void;
}

/** Takes one request through an operation: query, credential, cache, handler, envelope. */
export async function runOperation(operation: Operation, exchange: Exchange): Promise<Response> {
  const { request, url, runtime, startedAt } = exchange;
  const query = applyQuery(operation, url.search.slice(1), request.headers.get("x-query-validation") === "strict");
  if (operation.kind === "redirect") {
    return new Response(null, { status: operation.status, headers: { Location: operation.location(contextOf(exchange, null)) } });
  }
  const params = parsePath(operation, url.pathname);
  const credentialKey = operation.access === "key" ? await credentialEntry(request, url, runtime.config) : null;
  const answerKey = operation.cacheSeconds > 0 ? keyOfAnswer(operation, url, query) : null;
  const hot = await readHot(exchange, credentialKey, answerKey, operation.cacheSeconds);
  const principal =
    credentialKey === null
      ? null
      : await authenticate({ key: credentialKey, stored: hot.credential }, operation, runtime, startedAt, exchange.later);

  if (hot.answer !== null) {
    const age = Math.max(0, Math.floor((startedAt.getTime() - hot.answer.storedAtMs) / 1000));
    return respond(operation, exchange, query, hot.answer, age);
  }
  const answer = await withDeadline(answerOf(operation, params, query, contextOf(exchange, principal)));
  if (answerKey !== null) {
    exchange.answers.keep(answerKey, answer, operation.cacheSeconds);
    exchange.later(runtime.cache.set(answerKey, packAnswer(answer), operation.cacheSeconds).catch(() => undefined));
  }
  return respond(operation, exchange, query, answer, null);
}

interface Hot {
  readonly credential: string | null;
  readonly answer: Answer | null;
}

/**
 * The credential and the answer, in one round trip for what this isolate does not have. Credentials are always asked for, so that a
 * revoked one stops at once. A cache that is away holds nothing.
 */
async function readHot(
  { runtime, answers, startedAt }: Exchange,
  credentialKey: string | null,
  answerKey: string | null,
  cacheSeconds: number,
): Promise<Hot> {
  const remembered = answerKey === null ? null : answers.get(answerKey, startedAt.getTime());
  const keys = [credentialKey, remembered === null ? answerKey : null].filter((key) => key !== null);
  const values = keys.length === 0 ? [] : await runtime.cache.getMany(keys).catch(() => []);
  const valueOf = (key: string | null) => (key === null ? null : (values[keys.indexOf(key)] ?? null));
  const packed = remembered === null ? valueOf(answerKey) : null;
  const fetched = packed === null ? null : unpackAnswer(packed);
  if (fetched !== null && answerKey !== null) answers.keep(answerKey, fetched, cacheSeconds);
  return { credential: valueOf(credentialKey), answer: remembered ?? fetched };
}

/** Answers depend on nothing but path, filters and page, so everyone shares them; an alias with its own `object` has its own. */
function keyOfAnswer(operation: Operation, url: URL, query: AppliedQuery): string {
  return `answer:${operation.id}:${url.pathname}:${query.filters}:${String(query.values["limit"] ?? "")}:${query.cursor ?? ""}`;
}

function contextOf({ requestId, startedAt, runtime, log }: Exchange, principal: OperationContext["principal"]): OperationContext {
  return { principal, requestId, now: startedAt, config: runtime.config, db: runtime.db, cache: runtime.cache, log };
}

function answerOf(
  operation: SingleOperation | ListOperation,
  params: Record<string, unknown>,
  query: AppliedQuery,
  context: OperationContext,
): Promise<Answer> {
  return operation.kind === "list" ? answerList(operation, params, query, context) : answerSingle(operation, params, query, context);
}

async function answerSingle(
  operation: SingleOperation,
  params: Record<string, unknown>,
  query: AppliedQuery,
  context: OperationContext,
): Promise<Answer> {
  const { data, meta = {} } = await operation.handle({ params, query: query.values }, context);
  return makeAnswer({ object: operation.object, data }, meta, operation.conditional, context.now.getTime());
}

async function answerList(
  operation: ListOperation,
  params: Record<string, unknown>,
  query: AppliedQuery,
  context: OperationContext,
): Promise<Answer> {
  const binding: CursorBinding = {
    secret: context.config.cursorSecret,
    prefix: operation.cursor.prefix,
    list: operation.alias?.of ?? operation.id,
    filters: JSON.stringify([params, query.filters, ...(operation.cursor.bindsLimit ? [query.values["limit"]] : [])]),
  };
  const cursor = query.cursor === null ? null : await openCursor(binding, query.cursor, operation.cursor.position);
  const page = await operation.handle({ params, query: query.values, cursor }, context);
  const more = page.next === null ? { has_more: false } : { has_more: true, next_cursor: await signCursor(binding, page.next) };
  const envelope = { object: "list", data: page.data, ...page.topLevel, ...more };
  return makeAnswer(envelope, page.meta ?? {}, operation.conditional, context.now.getTime());
}

function respond(operation: Operation, exchange: Exchange, query: AppliedQuery, answer: Answer, cachedAgeSeconds: number | null): Response {
  const headers = new Headers({ "content-type": "application/json; charset=utf-8" });
  if (answer.etag !== "") headers.set("ETag", answer.etag);
  if (query.ignored.length > 0) headers.set("X-Query-Ignored", query.ignored.map(encodeURIComponent).join(","));
  if (query.effective !== "" || query.ignored.length > 0) headers.set("X-Effective-Query", query.effective);
  if (operation.alias !== undefined) addDeprecation(headers, operation.alias, exchange.url.pathname);
  if (matchesEtag(exchange.request.headers.get("if-none-match"), answer.etag)) {
    headers.delete("content-type");
    return new Response(null, { status: 304, headers });
  }
  const body = presentBody(answer, { requestId: exchange.requestId, cost: operation.cost, cachedAgeSeconds });
  return new Response(body, { headers });
}

function addDeprecation(headers: Headers, alias: NonNullable<Operation["alias"]>, pathname: string): void {
  headers.set("Deprecation", `@${Math.floor(alias.since.getTime() / 1000)}`);
  headers.set("Sunset", alias.sunset.toUTCString());
  headers.set("Link", `<${fillPath(alias.successor, pathname)}>; rel="successor-version"`);
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
