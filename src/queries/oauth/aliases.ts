import {
  oauthAccessTokens,
  oauthClients,
  oauthCodes,
  oauthDeviceCodes,
  oauthGrants,
  oauthRefreshTokens,
} from "../../db/schema.ts";
import { alias } from "../../db/sql.ts";

export const access = alias(oauthAccessTokens, "access");
export const client = alias(oauthClients, "client");
export const code = alias(oauthCodes, "code");
export const device = alias(oauthDeviceCodes, "device");
export const grant = alias(oauthGrants, "og");
export const refresh = alias(oauthRefreshTokens, "refresh");
