import {
  isWebOnly,
  type ListOperation,
  type Operation,
  type SingleOperation,
  type TextOperation,
} from "../../api/operation.ts";

/** An operation that a tool runs. */
export type ToolOperation = SingleOperation | ListOperation;

/** The argument that every tool has, whether or not its operation has the parameter. */
export const MAX_AGE_ARGUMENT = "max_age_s";

/** Whether the operation itself judges `max_age_s`. */
export const judgesAge = ({ query }: ToolOperation): boolean => Object.hasOwn(query, MAX_AGE_ARGUMENT);

/**
 * The tools by name, in the order of the registry. A tool call always needs a key and an active plan, also where
 * the operation itself is public.
 */
export function toolsOf(operations: readonly Operation[]): ReadonlyMap<string, ToolOperation> {
  return new Map(
    operations
      .filter((operation): operation is ToolOperation => operation.kind === "single" || operation.kind === "list")
      .flatMap((operation) => (operation.mcpTool === null ? [] : [[operation.mcpTool, requireCaller(operation)]])),
  );
}

/** The documents that are read as resources. */
export const documentsOf = (operations: readonly Operation[]): readonly TextOperation[] =>
  operations
    .filter((operation): operation is TextOperation => operation.kind === "text" && !isWebOnly(operation))
    .map(requireCaller);

const requireCaller = <O extends ToolOperation | TextOperation>(operation: O): O => ({
  ...operation,
  access: "key",
  scope: operation.scope ?? "read",
  plan: operation.plan ?? "pro",
});
