import type { Operation } from "../../api/operation.ts";
import { getAccountIdentity } from "./get-account-identity.ts";
import { getUsage } from "./get-usage.ts";

export const ACCOUNT_OPERATIONS: readonly Operation[] = [getUsage, getAccountIdentity];
