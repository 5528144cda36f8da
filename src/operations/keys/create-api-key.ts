import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { DEFAULT_SCOPES } from "../../auth/api-key-format.ts";
import { insertDefaultKey } from "../../queries/accounts/api-keys.ts";
import { generateStoredKey } from "./generate-stored-key.ts";
import { KEY_ISSUING_OPERATION, requireMember } from "./key-operation.ts";
import { CreateApiKeyRequest, NewApiKey } from "./schemas.ts";

export const createApiKey = defineOperation({
  ...KEY_ISSUING_OPERATION,
  id: "createApiKey",
  method: "post",
  path: "/api/keys",
  summary: "Create a default key.",
  description: "The key has all scopes and does not expire. The account's other keys stay valid.",
  reasons: ["default_key_limit_reached"],
  object: "api_key",
  data: NewApiKey,
  body: CreateApiKeyRequest,
  isBodyOptional: true,
  successStatus: 201,
  async handle({ body }, context) {
    const { db, config } = context;
    const { accountId } = requireMember(context);
    const { key, ...stored } = await generateStoredKey(config);
    const name = body.name ?? null;
    const created = await insertDefaultKey(db, accountId, { ...stored, name, scopes: DEFAULT_SCOPES });
    if (created === null) throw new ApiError("default_key_limit_reached");
    return { data: { id: created.id, name, api_key: key, prefix: stored.prefix, created_at: created.created_at } };
  },
});
