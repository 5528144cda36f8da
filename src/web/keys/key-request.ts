import type { Runtime } from "../../runtime.ts";
import type { Member } from "../member.ts";
import type { WebExchange } from "../web-exchange.ts";

/** A request about a member's keys. */
export interface KeyRequest extends WebExchange {
  readonly member: Member;
  readonly runtime: Runtime;
  /** What path parameters hold, as text. */
  readonly params: Readonly<Record<string, string>>;
}

/** Of an answer, all but `meta`. */
export interface KeyAnswer {
  readonly status: 200 | 201;
  readonly object: "list" | "api_key" | "integration_key";
  readonly data: object;
  /** Further members of the envelope. */
  readonly topLevel?: Readonly<Record<string, unknown>>;
}

export function presentKeyAnswer({ status, object, data, topLevel }: KeyAnswer, requestId: string): Response {
  return Response.json({ object, data, ...topLevel, meta: { request_id: requestId, cached: false, cost: 0 } }, { status });
}
