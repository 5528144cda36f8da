import type { Member, OperationContext } from "../../context.ts";
import { rowNumberParam } from "../../api/request/row-number-param.ts";

/** Settings shared by all key operations. */
export const KEY_OPERATION = {
  kind: "single",
  tag: "Keys",
  access: "session",
  scope: null,
  plan: "pro",
  cost: 0,
  params: {},
  query: {},
  conditional: false,
  cacheSeconds: 0,
  mcpTool: null,
} as const;

/** Settings of key operations that show a new key. A repeat of such a request shows null in its place. */
export const KEY_ISSUING_OPERATION = { ...KEY_OPERATION, idempotent: true, shownOnce: ["api_key"] } as const;

export const KeySegment = rowNumberParam(
  "Number of the key. Any other text is 400; a number that is not a default key of this account is 404.",
  12,
);

export const IntegrationSegment = rowNumberParam(
  "Number of the integration. Any other text is 400; a number that is not an integration of this account is 404.",
  4,
);

/** The signed-in account. Key operations always have one. */
export function requireMember({ member }: Pick<OperationContext, "member">): Member {
  if (member === null) throw new Error("key operation without a signed-in account");
  return member;
}
