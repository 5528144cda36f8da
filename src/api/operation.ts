import type { z } from "zod";
import type { OperationContext, Principal } from "../context.ts";
import type { Scope } from "../domain/accounts/accounts.ts";
import type { AccessCheck, AccessRefusal } from "../domain/accounts/decide-access.ts";
import type { CacheTag } from "../domain/cache-tags.ts";
import type { EventStreamPort } from "../platform/objects/event-stream-port.ts";
import type { ErrorBody } from "./response/error-response.ts";
import type { ApiError, Reason } from "./errors.ts";

/** The result of a single-object handler. The kernel adds the envelope, request id and headers. */
export interface SingleResult<Data> {
  data: Data;
  /** Fields beside `data` at the top level, as declared in `topLevel`. */
  topLevel?: Record<string, unknown>;
  /** Fields added to `meta`. */
  meta?: Record<string, unknown>;
  /** The response returns what an earlier request has created: status 200 and cost 0. */
  isReused?: true;
}

export interface PageResult<Item, Position> {
  data: Item[];
  /** The position of the next page, not yet signed; null on the last page. */
  next: Position | null;
  /** Only of a list with a `plainCursor`: whether a page follows, and how it is requested. */
  paging?: { readonly has_more: boolean; readonly next_cursor?: string };
  /** Fields beside `data` at the top level, as declared in `topLevel`. */
  topLevel?: Record<string, unknown>;
  meta?: Record<string, unknown>;
  /** False for a response of a conditional operation that gets no ETag. */
  conditional?: false;
}

export type Shape = Readonly<Record<string, z.ZodType>>;
type Input<S extends Shape> = z.output<z.ZodObject<S>>;

export type Method = "get" | "post" | "put" | "patch" | "delete";

interface Common<Params extends Shape, Query extends Shape> {
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  /** A group name in the OpenAPI document: `Traders`, `Large trades`. */
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /**
   * public: any credential is ignored. key: an API key. session: the session cookie of the website, whose
   * origin alone serves the operation, to its own pages.
   */
  readonly access: "public" | "key" | "session";
  readonly scope: Scope | null;
  readonly plan: "pro" | "max" | null;
  readonly cost: number;
  readonly params: Params;
  readonly query: Query;
  /** Error reasons of this operation, in addition to those of its access. */
  readonly reasons: readonly Reason[];
  /** Sends a weak ETag and responds 304 to a matching If-None-Match. */
  readonly conditional: boolean;
  /**
   * Time to live in seconds of a response in the cache that all callers with the same path and query share; 0
   * disables caching. The handler of a cached operation gets no principal. More than 5 only with `cacheTags`.
   */
  readonly cacheSeconds: number;
  /**
   * The generations that invalidate its cached responses: none is served for more than five seconds after one of these
   * is published again. Other data in a response may be up to `cacheSeconds` old.
   */
  readonly cacheTags?: readonly CacheTag[];
  /**
   * Serves an expired response for two more seconds, to all but the request that computes the replacement.
   * Only for responses that state the time of their data.
   */
  readonly staleWhileRevalidate?: true;
  /** A query parameter that bypasses the cache when it is present. */
  readonly bypassCacheParam?: string;
  readonly mcpTool: string | null;
  /** Set where the operation has its own per-IP budget. */
  readonly ipBudget?: "health";
  /** False for operations about usage itself: their responses omit the X-Usage-Accounting header. */
  readonly reportsAccounting?: false;
  /** Set on a deprecated spelling: the current operation, whose cursors it shares. */
  readonly alias?: { readonly of: string; readonly successor: string; readonly since: Date; readonly sunset: Date };
}

export interface SingleOperation<
  Params extends Shape = Shape,
  Query extends Shape = Shape,
  Data extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
> extends Common<Params, Query> {
  readonly kind: "single";
  /** The envelope's `object`. */
  readonly object: string;
  readonly data: Data;
  /** Fields beside `data` in the envelope. */
  readonly topLevel?: Shape;
  readonly meta?: Shape;
  /** Schema of the JSON body; without it no body is read. */
  readonly body?: Body;
  /** Set on a batch: the number of batch budget units that a body reserves. */
  readonly batchUnits?: (body: z.output<Body>) => number;
  /**
   * Accepts an Idempotency-Key: a repeat gets the first outcome. Not together with `conditional` or
   * `cacheSeconds`.
   */
  readonly idempotent?: true;
  /** The fields of `data` that are secrets: they are not stored, and a repeat gets null in their place. */
  readonly shownOnce?: readonly string[];
  /** A request without a body counts as `{}`. */
  readonly isBodyOptional?: true;
  /** Default 200. */
  readonly successStatus?: 200 | 201 | 202;
  /** Set where a result may have `isReused`. */
  readonly mayReuse?: true;
  handle(
    input: { params: Input<Params>; query: Input<Query>; body: z.output<Body> },
    context: OperationContext,
  ): Promise<SingleResult<z.input<Data>>>;
}

export interface ListOperation<
  Params extends Shape = Shape,
  Query extends Shape = Shape,
  Item extends z.ZodType = z.ZodType,
  Position extends z.ZodType = z.ZodType,
> extends Common<Params, Query> {
  readonly kind: "list";
  readonly item: Item;
  /**
   * The signed cursor: its readable prefix and the schema of the position inside. The kernel adds `cursor` to
   * the query. Null on a list of one page.
   */
  readonly cursor: {
    readonly prefix: string;
    readonly position: Position;
    /** Set where a cursor is valid only for the page size it was issued with. */
    readonly bindsLimit?: true;
    /**
     * Set where a cursor for other filters returns `cursor_expired`; otherwise it returns `invalid_query`.
     */
    readonly expiresWithFilters?: true;
    /** Sends `next_cursor` as null on the last page; otherwise it is left out. */
    readonly sendsNull?: true;
  } | null;
  /**
   * Set where the contract spells the cursor out, so that it is not signed: the list declares `cursor` in its
   * query, parses it, and returns `paging`.
   */
  readonly plainCursor?: { readonly description: string; readonly example: string };
  /** Fields beside `data` in the envelope (`data_quality`, `total`, `facets`). */
  readonly topLevel?: Shape;
  readonly meta?: Shape;
  handle(
    input: { params: Input<Params>; query: Input<Query>; cursor: z.output<Position> | null },
    context: OperationContext,
  ): Promise<PageResult<z.input<Item>, z.input<Position>>>;
}

/** Responds with a redirect and no body. */
export interface RedirectOperation<Params extends Shape = Shape, Query extends Shape = Shape> extends Common<
  Params,
  Query
> {
  readonly kind: "redirect";
  readonly conditional: false;
  readonly cacheSeconds: 0;
  readonly status: 307 | 302;
  /** Set where clients may cache the redirect. */
  readonly cacheControl?: string;
  /** Describes the URL in the API document, with an example. */
  readonly target: { readonly description: string; readonly example: string };
  /** Set where the website's origin serves the target under the same path. */
  readonly servesTarget?: true;
  location(input: { params: Input<Params>; query: Input<Query> }, context: OperationContext): string | Promise<string>;
}

/** Refuses every request that has access with 410, and names the operation that replaces it. */
export interface RetiredOperation extends Common<Shape, Shape> {
  readonly kind: "retired";
  readonly conditional: false;
  readonly cacheSeconds: 0;
  readonly alias: NonNullable<Common<Shape, Shape>["alias"]>;
}

/**
 * Responds with a Markdown document instead of an envelope; errors are still JSON. The response has no ETag
 * and is never cached.
 */
export interface TextOperation<Params extends Shape = Shape, Query extends Shape = Shape> extends Common<
  Params,
  Query
> {
  readonly kind: "text";
  readonly conditional: false;
  readonly cacheSeconds: 0;
  handle(input: { params: Input<Params>; query: Input<Query> }, context: OperationContext): Promise<string>;
}

/** The context of a stream's handler, which keeps running after the response has begun. */
export interface StreamContext extends OperationContext {
  readonly principal: Principal;
  readonly eventStream: EventStreamPort;
  /** What a check of the caller's access needs. */
  readonly access: AccessCheck;
  /** The error of a refusal that another object has found. */
  refusal(reason: AccessRefusal): ApiError;
  /**
   * Checks again whether the caller still has access.
   *
   * @throws ApiError with the refusal, or the error that prevented the check
   */
  recheck(): Promise<void>;
  /** The status and the `error` body that a failure would get now. */
  describeFailure(error: unknown): { readonly status: number; readonly body: ErrorBody };
}

/**
 * Responds with Server-Sent Events until the client disconnects. There is no deadline once the stream has
 * begun; the response has no ETag and is never cached.
 */
export interface StreamOperation<Params extends Shape = Shape, Query extends Shape = Shape> extends Common<
  Params,
  Query
> {
  readonly kind: "stream";
  readonly conditional: false;
  readonly cacheSeconds: 0;
  /**
   * Schemas of the frames' data, by the value of the `event` field; frames without that field are under the
   * empty name. Used by the OpenAPI document.
   */
  readonly frames: Readonly<Record<string, z.ZodType>>;
  /** @param lastEventId the Last-Event-ID header as sent; null without one */
  handle(
    input: { params: Input<Params>; query: Input<Query>; lastEventId: string | null },
    context: StreamContext,
  ): Promise<ReadableStream<Uint8Array>>;
}

export type Operation =
  | SingleOperation
  | ListOperation
  | RedirectOperation
  | RetiredOperation
  | TextOperation
  | StreamOperation;

/** Whether the kernel adds `cursor` to an operation's query. */
export const takesCursor = (operation: Operation): boolean => operation.kind === "list" && operation.cursor !== null;

/** Whether only the website's origin serves an operation. */
export const isWebOnly = (operation: Operation): boolean => operation.access === "session";

/*
 * Declares one operation. Router, validation, query report, OpenAPI entry, discovery row and the
 * registry-wide tests derive from this value only. The result erases the exact schema types: only the kernel
 * calls `handle`, with input that it has parsed with these schemas.
 */
export function defineOperation<P extends Shape, Q extends Shape, D extends z.ZodType, B extends z.ZodType>(
  operation: SingleOperation<P, Q, D, B>,
): Operation;
export function defineOperation<P extends Shape, Q extends Shape, I extends z.ZodType, C extends z.ZodType>(
  operation: ListOperation<P, Q, I, C>,
): Operation;
export function defineOperation<P extends Shape, Q extends Shape>(operation: RedirectOperation<P, Q>): Operation;
export function defineOperation(operation: RetiredOperation): Operation;
export function defineOperation<P extends Shape, Q extends Shape>(operation: TextOperation<P, Q>): Operation;
export function defineOperation<P extends Shape, Q extends Shape>(operation: StreamOperation<P, Q>): Operation;
export function defineOperation(operation: unknown): Operation {
  return operation as Operation;
}

/**
 * The same operation under a deprecated spelling. Its responses carry Deprecation, Sunset and a Link to the
 * successor.
 *
 * @param object the envelope's `object`, where it differs under the old spelling
 */
export function defineAlias(
  target: Operation,
  spelling: { id: string; path: string; mcpTool: string | null; since: Date; sunset: Date; object?: string },
): Operation {
  const { id, path, mcpTool, since, sunset, object } = spelling;
  // Spreading a member of the union keeps its kind; TypeScript cannot follow that through the optional
  // `object`.
  return {
    ...target,
    id,
    path,
    mcpTool,
    alias: { of: target.id, successor: target.path, since, sunset },
    ...(object === undefined ? {} : { object }),
  } as Operation;
}
