import type { Operation } from "../../api/operation.ts";
import { createApiKey } from "./create-api-key.ts";
import { createIntegrationKey } from "./create-integration-key.ts";
import { listApiKeys } from "./list-api-keys.ts";
import { listIntegrationKeys } from "./list-integration-keys.ts";
import { regenerateApiKey, regenerateApiKeyUnderApiPath } from "./regenerate-api-key.ts";
import { revokeApiKey } from "./revoke-api-key.ts";
import { revokeIntegrationKey } from "./revoke-integration-key.ts";
import { rotateIntegrationKey } from "./rotate-integration-key.ts";

export const KEY_OPERATIONS: readonly Operation[] = [
  listApiKeys,
  createApiKey,
  revokeApiKey,
  regenerateApiKey,
  regenerateApiKeyUnderApiPath,
  listIntegrationKeys,
  createIntegrationKey,
  rotateIntegrationKey,
  revokeIntegrationKey,
];
