import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { insertIntegration } from "../../queries/accounts/integrations.ts";
import { generateStoredKey } from "./generate-stored-key.ts";
import { isNameTaken } from "./is-name-taken.ts";
import { KEY_ISSUING_OPERATION, requireMember } from "./key-operation.ts";
import { CreateIntegrationKeyRequest, NewIntegrationKey } from "./schemas.ts";

export const MAX_INTEGRATIONS = 10;

export const createIntegrationKey = defineOperation({
  ...KEY_ISSUING_OPERATION,
  id: "createIntegrationKey",
  method: "post",
  path: "/api/keys/integrations",
  summary: "Create an integration and its key.",
  description:
    `An account has at most ${MAX_INTEGRATIONS} integrations that are not revoked. Their names differ. ` +
    "A rotation extends the lifetime of the key.",
  reasons: ["integration_limit_reached", "integration_name_taken"],
  object: "integration_key",
  data: NewIntegrationKey,
  body: CreateIntegrationKeyRequest,
  successStatus: 201,
  async handle({ body }, context) {
    const { db, config, now } = context;
    const { accountId } = requireMember(context);
    const { name, scopes, expires_in_days: lifetimeDays } = body;
    const { key, ...stored } = await generateStoredKey(config);
    const integration = { accountId, name, scopes, lifetimeDays };
    const created = await insertIntegration(db, integration, stored, MAX_INTEGRATIONS, now).catch((error: unknown) => {
      throw isNameTaken(error) ? new ApiError("integration_name_taken", { param: "name" }) : error;
    });
    if (created === null) throw new ApiError("integration_limit_reached");
    const { id, expires_at } = created;
    return { data: { id, name, api_key: key, prefix: stored.prefix, scopes, expires_at } };
  },
});
