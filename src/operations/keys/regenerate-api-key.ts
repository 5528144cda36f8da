import { defineOperation, type Operation } from "../../api/operation.ts";
import { DEFAULT_SCOPES } from "../../auth/api-key-format.ts";
import { listLiveDefaultKeys, replaceDefaultKeys } from "../../queries/accounts/api-keys.ts";
import { generateStoredKey } from "./generate-stored-key.ts";
import { KEY_ISSUING_OPERATION, requireMember } from "./key-operation.ts";
import { refuseAfterRevocation, refuseBeforeRevocation } from "./refuse-revoked-keys.ts";
import { EmptyBody, RegeneratedApiKey } from "./schemas.ts";

export const regenerateApiKey = defineOperation({
  ...KEY_ISSUING_OPERATION,
  id: "regenerateApiKey",
  method: "post",
  path: "/api/keys/regenerate",
  summary: "Revoke all default keys and create one.",
  description: "Keys of integrations and tokens of applications stay valid.",
  reasons: ["credential_store_unavailable"],
  object: "api_key",
  data: RegeneratedApiKey,
  body: EmptyBody,
  isBodyOptional: true,
  async handle(_input, context) {
    const { db, config, now } = context;
    const { accountId } = requireMember(context);
    const live = await listLiveDefaultKeys(db, accountId);
    await refuseBeforeRevocation(context, accountId, live);
    const { key, ...stored } = await generateStoredKey(config);
    const created = await replaceDefaultKeys(db, accountId, { ...stored, name: null, scopes: DEFAULT_SCOPES }, now);
    await refuseAfterRevocation(
      context,
      accountId,
      created.revoked_hashes.filter((hash) => !live.includes(hash)),
    );
    const data = {
      id: created.id,
      api_key: key,
      prefix: stored.prefix,
      created_at: created.created_at,
      revoked_count: created.revoked_hashes.length,
    };
    return { data };
  },
});

/** The same operation under the path of the specification's endpoint table. */
export const regenerateApiKeyUnderApiPath: Operation = {
  ...regenerateApiKey,
  id: "regenerateApiKeyUnderApiPath",
  path: "/api/v1/keys/regenerate",
};
