import type { Operation } from "../../api/operation.ts";
import { getApiDiscovery } from "./get-api-discovery.ts";
import { getCoverage, getPlatforms } from "./get-coverage.ts";
import { getHealth } from "./get-health.ts";
import { redirectApiOpenapiSpec } from "./redirect-api-openapi-spec.ts";

export const SYSTEM_OPERATIONS: readonly Operation[] = [getApiDiscovery, redirectApiOpenapiSpec, getHealth, getCoverage, getPlatforms];
