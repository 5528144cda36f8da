import type { OperationContext } from "../../context.ts";
import { serializeResponse, type SerializedResponse } from "../cache/serialized-response.ts";
import { openCursor, signCursor, type CursorBinding } from "../request/cursor.ts";
import type { ListOperation, SingleOperation } from "../operation.ts";
import type { AppliedQuery } from "../request/query-policy.ts";

export interface ParsedInput {
  readonly params: Record<string, unknown>;
  readonly query: AppliedQuery;
  readonly body: unknown;
}

/**
 * Runs an operation's handler.
 *
 * @throws whatever the handler throws, and ApiError for a cursor that does not belong to this list
 */
export function runHandler(
  operation: SingleOperation | ListOperation,
  input: ParsedInput,
  context: OperationContext,
): Promise<SerializedResponse> {
  return operation.kind === "list" ? runList(operation, input, context) : runSingle(operation, input, context);
}

async function runSingle(
  operation: SingleOperation,
  { params, query, body }: ParsedInput,
  context: OperationContext,
): Promise<SerializedResponse> {
  const {
    data,
    topLevel,
    meta = {},
    isReused,
  } = await operation.handle({ params, query: query.values, body }, context);
  const response = await serializeResponse(
    { object: operation.object, data, ...topLevel },
    meta,
    operation.conditional,
    context.now.getTime(),
  );
  return isReused === true ? { ...response, isReused } : response;
}

async function runList(
  operation: ListOperation,
  { params, query }: ParsedInput,
  context: OperationContext,
): Promise<SerializedResponse> {
  const binding =
    operation.cursor === null
      ? null
      : { ...operation.cursor, ...bindingOf(operation, operation.cursor, params, query, context) };
  const cursor =
    binding === null || query.cursor === null ? null : await openCursor(binding, query.cursor, binding.position);
  const page = await operation.handle({ params, query: query.values, cursor }, context);
  const pagination =
    page.paging !== undefined
      ? page.paging
      : binding === null || page.next === null
        ? { has_more: false, ...(binding?.sendsNull ? { next_cursor: null } : {}) }
        : { has_more: true, next_cursor: await signCursor(binding, page.next) };
  const envelope = { object: "list", data: page.data, ...page.topLevel, ...pagination };
  const isConditional = operation.conditional && page.conditional !== false;
  return serializeResponse(envelope, page.meta ?? {}, isConditional, context.now.getTime());
}

function bindingOf(
  operation: ListOperation,
  { prefix, bindsLimit }: NonNullable<ListOperation["cursor"]>,
  params: Record<string, unknown>,
  query: AppliedQuery,
  context: OperationContext,
): CursorBinding {
  return {
    keys: context.config.cursorKeys,
    prefix,
    list: operation.alias?.of ?? operation.id,
    filters: JSON.stringify([params, query.filters, ...(bindsLimit ? [query.values["limit"]] : [])]),
  };
}
