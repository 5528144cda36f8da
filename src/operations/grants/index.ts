import type { Operation } from "../../api/operation.ts";
import { listOAuthGrants } from "./list-oauth-grants.ts";
import { revokeOAuthGrant } from "./revoke-oauth-grant.ts";

export const GRANT_OPERATIONS: readonly Operation[] = [listOAuthGrants, revokeOAuthGrant];
