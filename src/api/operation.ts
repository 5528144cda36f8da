import type { z } from "zod";
import type { OperationContext, Principal } from "../context.ts";
import type { Scope } from "../domain/accounts.ts";
import type { GenerationName } from "../domain/generations.ts";
import type { EventStreamPort } from "../ports/event-stream.ts";
import type { ErrorBody } from "./error-response.ts";
import type { Reason } from "./errors.ts";

/** A handler's answer; the kernel adds the envelope, request id and headers. */
export interface SingleAnswer<Data> {
  data: Data;
  /** Fields beside `data` at the top level, as declared in `topLevel`. */
  topLevel?: Record<string, unknown>;
  /** Fields added to `meta`. */
  meta?: Record<string, unknown>;
}

export interface PageAnswer<Item, Position> {
  data: Item[];
  /** Where the next page starts, unsigned; null on the last page. */
  next: Position | null;
  /** Fields beside `data` at the top level, as declared in `topLevel`. */
  topLevel?: Record<string, unknown>;
  meta?: Record<string, unknown>;
}

export type Shape = Readonly<Record<string, z.ZodType>>;
type Input<S extends Shape> = z.output<z.ZodObject<S>>;

export type Method = "get" | "post" | "patch" | "delete";

interface Common<Params extends Shape, Query extends Shape> {
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  /** A group name in the OpenAPI document: `Traders`, `Large trades`. */
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: "public" | "key";
  readonly scope: Scope | null;
  readonly plan: "pro" | "max" | null;
  readonly cost: number;
  readonly params: Params;
  readonly query: Query;
  /** The reasons this operation adds to those its access already brings. */
  readonly reasons: readonly Reason[];
  /** Sends a weak ETag and answers 304. */
  readonly conditional: boolean;
  /**
   * Seconds for which an answer may be served again to anyone with the same path and query; 0 never. Such a handler is not told who asks.
   * More than 5 only with `restsOn`.
   */
  readonly cacheSeconds: number;
  /** What its answers rest on: none is served again once one of these is published anew. What else they show may be `cacheSeconds` old. */
  readonly restsOn?: readonly GenerationName[];
  /**
   * Set where an answer whose time is up serves two seconds longer, to all but the request that makes the next one. Only where the answer
   * names the time of what it shows.
   */
  readonly whileRefreshed?: true;
  /** A query parameter with which an answer is of this moment and never served again. */
  readonly notCachedWith?: string;
  readonly mcpTool: string | null;
  /** Set where callers have a per-IP budget of its own. */
  readonly ipBudget?: "health";
  /** False where answers say nothing of the usage record, being about it. */
  readonly reportsAccounting?: false;
  /** Set on a deprecated spelling: the operation it stands for, whose cursors and cached answers it shares. */
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
  /** The JSON body; without it a body is not read. */
  readonly body?: Body;
  /** Set on a batch: how many units of the batch budget its body reserves. */
  readonly batchUnits?: (body: z.output<Body>) => number;
  /** Takes an Idempotency-Key: a repeat gets the first outcome. Not together with `conditional` or `cacheSeconds`. */
  readonly idempotent?: true;
  /** 200 unless said. */
  readonly successStatus?: 200 | 201 | 202;
  handle(
    input: { params: Input<Params>; query: Input<Query>; body: z.output<Body> },
    context: OperationContext,
  ): Promise<SingleAnswer<z.input<Data>>>;
}

export interface ListOperation<
  Params extends Shape = Shape,
  Query extends Shape = Shape,
  Item extends z.ZodType = z.ZodType,
  Position extends z.ZodType = z.ZodType,
> extends Common<Params, Query> {
  readonly kind: "list";
  readonly item: Item;
  /** The signed cursor: its readable prefix and the schema of the position inside. The kernel adds `cursor` to the query. Null on a list of one page. */
  readonly cursor: {
    readonly prefix: string;
    readonly position: Position;
    /** Set where a cursor holds only for the page size it was given out with. */
    readonly bindsLimit?: true;
    /** Set where a cursor of other filters is `cursor_expired`, told from one that is none of ours. */
    readonly expiresWithFilters?: true;
  } | null;
  /** Fields beside `data` in the envelope (`data_quality`, `total`, `facets`). */
  readonly topLevel?: Shape;
  readonly meta?: Shape;
  handle(
    input: { params: Input<Params>; query: Input<Query>; cursor: z.output<Position> | null },
    context: OperationContext,
  ): Promise<PageAnswer<z.input<Item>, z.input<Position>>>;
}

/** Answers with a redirect and no body. */
export interface RedirectOperation extends Common<Shape, Shape> {
  readonly kind: "redirect";
  readonly status: 307 | 302;
  /** Set where the redirect may be kept. */
  readonly cacheControl?: string;
  location(context: OperationContext): string;
}

/** Answers with a Markdown document instead of an envelope; its errors are JSON like everybody's. It has no validator and is never cached. */
export interface TextOperation<Params extends Shape = Shape, Query extends Shape = Shape> extends Common<Params, Query> {
  readonly kind: "text";
  readonly conditional: false;
  readonly cacheSeconds: 0;
  handle(input: { params: Input<Params>; query: Input<Query> }, context: OperationContext): Promise<string>;
}

/** What a stream's handler receives besides: it runs on after the answer has begun. */
export interface StreamContext extends OperationContext {
  readonly principal: Principal;
  readonly eventStream: EventStreamPort;
  /** Asks anew whether the caller may go on. @throws what a request of theirs would be refused with, or why that cannot be told */
  recheck(): Promise<void>;
  /** A failure as it would be answered now: its status, and the `error` of its body. */
  describeFailure(error: unknown): { readonly status: number; readonly body: ErrorBody };
}

/** Answers with Server-Sent Events for as long as the client stays. It has no deadline once it has begun, no validator, and is never cached. */
export interface StreamOperation<Params extends Shape = Shape, Query extends Shape = Shape> extends Common<Params, Query> {
  readonly kind: "stream";
  readonly conditional: false;
  readonly cacheSeconds: 0;
  /** The data of its frames, by the name of the `event` field; under the empty name those that have none. For the document. */
  readonly frames: Readonly<Record<string, z.ZodType>>;
  /** @param lastEventId the header of that name, as it was sent */
  handle(
    input: { params: Input<Params>; query: Input<Query>; lastEventId: string | null },
    context: StreamContext,
  ): Promise<ReadableStream<Uint8Array>>;
}

export type Operation = SingleOperation | ListOperation | RedirectOperation | TextOperation | StreamOperation;

/** Whether the kernel adds `cursor` to an operation's query. */
export const takesCursor = (operation: Operation): boolean => operation.kind === "list" && operation.cursor !== null;

/*
 * Declares one operation: the only place it is described. Router, validation, query report, OpenAPI entry, discovery row and the
 * registry-wide tests derive from the value. The result forgets the schemas' exact types: only the kernel calls `handle`, with input it
 * has parsed by these very schemas.
 */
export function defineOperation<P extends Shape, Q extends Shape, D extends z.ZodType, B extends z.ZodType>(
  operation: SingleOperation<P, Q, D, B>,
): Operation;
export function defineOperation<P extends Shape, Q extends Shape, I extends z.ZodType, C extends z.ZodType>(
  operation: ListOperation<P, Q, I, C>,
): Operation;
export function defineOperation(operation: RedirectOperation): Operation;
export function defineOperation<P extends Shape, Q extends Shape>(operation: TextOperation<P, Q>): Operation;
export function defineOperation<P extends Shape, Q extends Shape>(operation: StreamOperation<P, Q>): Operation;
export function defineOperation(operation: unknown): Operation {
  return operation as Operation;
}

/**
 * The same operation under a deprecated spelling. Its answers carry Deprecation, Sunset and a Link to the successor.
 *
 * @param object the envelope's `object` where the old spelling had its own
 */
export function defineAlias(
  target: Operation,
  spelling: { id: string; path: string; mcpTool: string | null; since: Date; sunset: Date; object?: string },
): Operation {
  const { id, path, mcpTool, since, sunset, object } = spelling;
  // Spreading a member of the union keeps its kind; TypeScript cannot follow that through the optional `object`.
  return {
    ...target,
    id,
    path,
    mcpTool,
    alias: { of: target.id, successor: target.path, since, sunset },
    ...(object === undefined ? {} : { object }),
  } as Operation;
}
