import { z } from "zod";
import { defineOperation } from "../../api/operation.ts";
import { limitParam, numberParam } from "../../api/request/query-params.ts";
import { listIntegrations } from "../../queries/accounts/integrations.ts";
import { KEY_OPERATION, requireMember } from "./key-operation.ts";
import { readKeyUsage } from "./read-key-usage.ts";
import { IntegrationKey } from "./schemas.ts";

export const listIntegrationKeys = defineOperation({
  ...KEY_OPERATION,
  id: "listIntegrationKeys",
  method: "get",
  path: "/api/keys/integrations",
  summary: "List the integrations of the account.",
  description: "Each integration has its own key and scopes. Revoked integrations are included, newest first.",
  query: {
    limit: limitParam({ max: 200, default: 100 }),
    before_id: numberParam({ integer: true, min: 1 }).meta({
      description: "The `next_before_id` of the previous page: only integrations with a smaller number.",
      example: 4,
    }),
  },
  reasons: [],
  object: "list",
  data: z.array(IntegrationKey).meta({ description: "The integrations of this page, newest first." }),
  topLevel: {
    has_more: z.boolean().meta({ description: "Whether there is a next page.", example: false }),
    next_before_id: z.int().nullable().meta({
      description: "Send it as `before_id` to get the next page; null on the last page.",
      example: null,
    }),
  },
  async handle({ query: { limit, before_id: beforeId } }, context) {
    const { db, now } = context;
    const { accountId } = requireMember(context);
    const [rows, usage] = await Promise.all([
      listIntegrations(db, accountId, { beforeId, limit: limit + 1 }, now),
      readKeyUsage(context, accountId, now),
    ]);
    const page = rows.slice(0, limit);
    const data = page.map(({ key_ids, ...row }) => {
      const { monthRequests, lastUsedAt } = usage.sum(key_ids);
      return { ...row, last_used_at: lastUsedAt, month_requests: monthRequests, usage_refreshed_at: usage.refreshedAt };
    });
    const nextBeforeId = rows.length > limit ? (page.at(-1)?.id ?? null) : null;
    return { data, topLevel: { has_more: nextBeforeId !== null, next_before_id: nextBeforeId } };
  },
});
