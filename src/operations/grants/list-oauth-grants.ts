import { z } from "zod";
import { defineOperation } from "../../api/operation.ts";
import { listGrants } from "../../queries/oauth/grants.ts";
import { KEY_OPERATION, requireMember } from "../keys/key-operation.ts";
import { readKeyUsage } from "../keys/read-key-usage.ts";
import { OAuthGrant } from "./schemas.ts";

const MAX_LISTED_GRANTS = 500;

export const listOAuthGrants = defineOperation({
  ...KEY_OPERATION,
  plan: null,
  tag: "OAuth",
  id: "listOAuthGrants",
  method: "get",
  path: "/api/oauth/grants",
  summary: "List the applications that have access to the account.",
  description:
    "Grants that have ended are left out. The newest is first. There are no pages: the list has the newest " +
    `${MAX_LISTED_GRANTS}. It needs no subscription.`,
  reasons: [],
  object: "list",
  data: z.array(OAuthGrant).meta({ description: "The grants, newest first." }),
  async handle(_input, context) {
    const { db, now } = context;
    const { accountId } = requireMember(context);
    const [grants, usage] = await Promise.all([
      listGrants(db, accountId, MAX_LISTED_GRANTS, now),
      readKeyUsage(context, accountId, now),
    ]);
    const data = grants.map((grant) => {
      const { monthRequests, lastUsedAt } = usage.sum([grant.id]);
      return { ...grant, last_used_at: lastUsedAt, month_requests: monthRequests };
    });
    return { data };
  },
});
