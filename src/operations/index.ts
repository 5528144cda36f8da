import type { Operation } from "../api/operation.ts";
import { SYSTEM_OPERATIONS } from "./system/index.ts";

/** The registry: everything the API answers. */
export const OPERATIONS: readonly Operation[] = [...SYSTEM_OPERATIONS];
