import type { operations } from "./generated/openapi-types.ts";
import type { OPERATIONS } from "./generated/operation-table.ts";
import type { EventStreamOptions, StreamEvent } from "./stream/event-stream.ts";
import type { HttpFacts } from "./http-facts.ts";

export type OperationId = keyof typeof OPERATIONS;

type Traits<Id extends OperationId> = (typeof OPERATIONS)[Id] extends `${string} ${string} ${infer T}` ? T : "";
type WithTrait<Letter extends string> = {
  [Id in OperationId]: Traits<Id> extends `${string}${Letter}${string}` ? Id : never;
}[OperationId];

/** Undefined counts as left out. */
type Loose<T> = { [K in keyof T]: {} extends Pick<T, K> ? T[K] | undefined : T[K] };
type InputOf<T> = [NonNullable<T>] extends [never] ? {} : Loose<NonNullable<T>>;
type PathOf<O> = O extends { parameters: { path: infer P } } ? InputOf<P> : {};
type QueryOf<O> = O extends { parameters: { query?: infer Q } } ? InputOf<Q> : {};
type BodyOf<O> = O extends { requestBody: { content: { "application/json": infer B } } } ? { body: B } : {};

/** Path parameters, query parameters and `body` of an operation, in one object. */
export type ParamsOf<Id extends OperationId> = PathOf<operations[Id]> &
  QueryOf<operations[Id]> &
  BodyOf<operations[Id]>;

type JsonOf<R> = R extends { content: { "application/json": infer B } } ? B : never;
type SuccessOf<O> = O extends { responses: infer R } ? JsonOf<R[keyof R]> : never;

/** The response body, with the facts of the response in a property that `JSON.stringify` leaves out. */
export type Answer<Body> = Body & { readonly http: HttpFacts };

export interface NotModified {
  readonly object: "not_modified";
  readonly data: null;
  readonly http: HttpFacts;
}

export interface Redirect {
  readonly object: "redirect";
  readonly location: string;
  readonly http: HttpFacts;
}

export interface Text {
  readonly object: "text";
  readonly text: string;
  readonly http: HttpFacts;
}

export type AnswerOf<Id extends OperationId> =
  Id extends WithTrait<"d"> ? Redirect : Id extends WithTrait<"t"> ? Text : Answer<SuccessOf<operations[Id]>>;

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
  /** An ETag that you have. The answer can then be `not_modified`. */
  readonly ifNoneMatch?: string | undefined;
  /** Of a mutation: a repeat with the same key returns the first outcome. It then is repeated after a lost connection. */
  readonly idempotencyKey?: string | undefined;
  readonly strict?: boolean | undefined;
  /** Further request headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

type Conditional<Options, T> = Options extends { readonly ifNoneMatch: string } ? T | NotModified : T;

type Args<P, Options> = {} extends P ? [params?: P, options?: Options] : [params: P, options?: Options];

type Call<Id extends OperationId> = <Options extends CallOptions = {}>(
  ...args: Args<ParamsOf<Id>, Options>
) => Promise<Conditional<Options, AnswerOf<Id>>>;

type StreamId = WithTrait<"e">;

/** One method for each operation, named like it. */
export type Methods = { readonly [Id in Exclude<OperationId, StreamId | WithTrait<"x">>]: Call<Id> } & {
  readonly [Id in StreamId]: (
    ...args: Args<Omit<ParamsOf<Id>, "last_event_id" | "seq">, EventStreamOptions>
  ) => AsyncIterable<StreamEvent>;
} & {
  /** Retired: always an OperationRetired error. */
  readonly [Id in WithTrait<"x">]: (params?: {}, options?: CallOptions) => Promise<never>;
};

export type PagedId = WithTrait<"c">;
type RowOf<Id extends OperationId> = SuccessOf<operations[Id]> extends { data: (infer Row)[] } ? Row : never;
type RowsId = { [Id in PagedId]: [RowOf<Id>] extends [never] ? never : Id }[PagedId];

export interface WalkOptions extends CallOptions {
  /**
   * How often a walk may begin again at the first page when its cursor has expired. Default 0: it throws
   * CursorExpiredError. Rows that were already returned are then returned again.
   */
  readonly restarts?: number;
}

/** The pages of a list, requested one by one as they are read. */
export type PageWalks = {
  readonly [Id in PagedId]: (...args: Args<ParamsOf<Id>, WalkOptions>) => AsyncIterableIterator<AnswerOf<Id>>;
};

/** The rows of a list, page by page. */
export type RowWalks = {
  readonly [Id in RowsId]: (...args: Args<ParamsOf<Id>, WalkOptions>) => AsyncIterableIterator<RowOf<Id>>;
};
