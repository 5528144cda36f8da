import type { Operation } from "../../../src/api/operation.ts";

/** A value of the right form for each parameter that paths of the registry have. */
const PATH_VALUES: Record<string, string> = {
  address: `0x${"a".repeat(40)}`,
  condition_id: `0x${"b".repeat(64)}`,
  id: "1",
};

/** Names that operations require in their query. */
const REQUIRED: Record<string, string> = { "/api/v1/markets/search": "q=rain" };

/** A well-formed request path of an operation, with `query` after what it requires. */
export function pathOf({ path }: Operation, query = ""): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = PATH_VALUES[name];
    if (value === undefined) throw new Error(`no value for the path parameter ${name}`);
    return value;
  });
  const parts = [REQUIRED[path], query].filter((part) => part !== undefined && part !== "");
  return parts.length === 0 ? filled : `${filled}?${parts.join("&")}`;
}
