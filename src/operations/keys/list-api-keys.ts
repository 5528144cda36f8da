import { z } from "zod";
import { defineOperation } from "../../api/operation.ts";
import { listDefaultKeys } from "../../queries/accounts/api-keys.ts";
import { KEY_OPERATION, requireMember } from "./key-operation.ts";
import { readKeyUsage } from "./read-key-usage.ts";
import { ApiKey } from "./schemas.ts";

const MAX_LISTED_KEYS = 500;

export const listApiKeys = defineOperation({
  ...KEY_OPERATION,
  id: "listApiKeys",
  method: "get",
  path: "/api/keys",
  summary: "List the default keys of the account.",
  description:
    `Revoked keys are included, newest first. There are no pages: the list has the newest ${MAX_LISTED_KEYS} keys. ` +
    "No response repeats a key itself.",
  reasons: [],
  object: "list",
  data: z.array(ApiKey).meta({ description: "The keys, newest first." }),
  async handle(_input, context) {
    const { db, now } = context;
    const { accountId } = requireMember(context);
    const [keys, usage] = await Promise.all([
      listDefaultKeys(db, accountId, MAX_LISTED_KEYS),
      readKeyUsage(context, accountId, now),
    ]);
    const data = keys.map((key) => ({
      id: key.id,
      name: key.name,
      prefix: key.prefix,
      created_at: key.created_at,
      last_used_at: usage.sum([key.id]).lastUsedAt,
      revoked_at: key.revoked_at,
    }));
    return { data };
  },
});
