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
  const { data, topLevel, meta = {} } = await operation.handle({ params, query: query.values, body }, context);
  return makeAnswer({ object: operation.object, data, ...topLevel }, meta, operation.conditional, context.now.getTime());
}

async function answerList(operation: ListOperation, { params, query }: ParsedInput, context: OperationContext): Promise<Answer> {
  const cursors =
    operation.cursor === null ? null : { ...operation.cursor, ...bindingOf(operation, operation.cursor, params, query, context) };
  const cursor = cursors === null || query.cursor === null ? null : await openCursor(cursors, query.cursor, cursors.position);
  const page = await operation.handle({ params, query: query.values, cursor }, context);
  const more =
    cursors === null || page.next === null ? { has_more: false } : { has_more: true, next_cursor: await signCursor(cursors, page.next) };
  const envelope = { object: "list", data: page.data, ...page.topLevel, ...more };
  return makeAnswer(envelope, page.meta ?? {}, operation.conditional, context.now.getTime());
}

function bindingOf(
  operation: ListOperation,
  { prefix, bindsLimit }: NonNullable<ListOperation["cursor"]>,
  params: Record<string, unknown>,
  query: AppliedQuery,
  context: OperationContext,
): CursorBinding {
  return {
    secret: context.config.cursorSecret,
    prefix,
    list: operation.alias?.of ?? operation.id,
    filters: JSON.stringify([params, query.filters, ...(bindsLimit ? [query.values["limit"]] : [])]),
  };
}
