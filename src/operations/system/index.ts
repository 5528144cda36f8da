import type { Operation } from "../../api/operation.ts";
import { getCoverage, getPlatforms } from "./get-coverage.ts";
import { getHealth } from "./get-health.ts";
import { registerAgent } from "./register-agent.ts";
import { redirectApiOpenapiSpec } from "./redirect-api-openapi-spec.ts";

export const SYSTEM_OPERATIONS: readonly Operation[] = [
  redirectApiOpenapiSpec,
  getHealth,
  getCoverage,
  getPlatforms,
  registerAgent,
];
