import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { isLiveIntegration, rotateIntegration } from "../../queries/accounts/integrations.ts";
import { generateStoredKey } from "./generate-stored-key.ts";
import { forgetBeforeChange } from "./refuse-revoked-keys.ts";
import { IntegrationSegment, KEY_ISSUING_OPERATION, requireMember } from "./key-operation.ts";
import { EmptyBody, RotatedIntegrationKey } from "./schemas.ts";

export const OVERLAP_MINUTES = 15;

export const rotateIntegrationKey = defineOperation({
  ...KEY_ISSUING_OPERATION,
  id: "rotateIntegrationKey",
  method: "post",
  path: "/api/keys/integrations/{id}/rotate",
  summary: "Issue a new key for an integration.",
  description:
    `The previous key works for ${OVERLAP_MINUTES} more minutes, but not beyond its own expiry. ` +
    "The new key has the integration's full lifetime, also when the previous one has expired.",
  params: { id: IntegrationSegment },
  reasons: ["not_found", "rotation_overlap_active", "credential_store_unavailable"],
  object: "integration_key",
  data: RotatedIntegrationKey,
  body: EmptyBody,
  isBodyOptional: true,
  async handle({ params: { id } }, context) {
    const { db, config, now } = context;
    const { accountId } = requireMember(context);
    // The meter has the older key's record with its later expiry.
    await forgetBeforeChange(context, accountId);
    const { key, ...stored } = await generateStoredKey(config);
    const rotated = await rotateIntegration(db, { accountId, id }, stored, OVERLAP_MINUTES, now);
    if (rotated === null) {
      throw new ApiError((await isLiveIntegration(db, accountId, id)) ? "rotation_overlap_active" : "not_found");
    }
    return { data: { ...rotated, api_key: key, prefix: stored.prefix } };
  },
});
