import type { OperationContext } from "../context.ts";
import { makeAnswer, type Answer } from "./answer.ts";
import { openCursor, signCursor, type CursorBinding } from "./cursor.ts";
import type { ListOperation, SingleOperation } from "./operation.ts";
import type { AppliedQuery } from "./query-policy.ts";

export interface ParsedInput {
  readonly params: Record<string, unknown>;
  readonly query: AppliedQuery;
  readonly body: unknown;
}

/** Runs an operation's handler. @throws whatever the handler throws, and ApiError for a cursor that is none of this list's */
export function runHandler(operation: SingleOperation | ListOperation, input: ParsedInput, context: OperationContext): Promise<Answer> {
  return operation.kind === "list" ? answerList(operation, input, context) : answerSingle(operation, input, context);
}

async function answerSingle(operation: SingleOperation, { params, query, body }: ParsedInput, context: OperationContext): Promise<Answer> {
  const { data, meta = {} } = await operation.handle({ params, query: query.values, body }, context);
  return makeAnswer({ object: operation.object, data }, meta, operation.conditional, context.now.getTime());
}

async function answerList(operation: ListOperation, { params, query }: ParsedInput, context: OperationContext): Promise<Answer> {
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
