import type { Database } from "../../db/client.ts";
import { findCode, redeemCode } from "../../queries/oauth/codes.ts";
import { findDevice, recordPoll, redeemDevice } from "../../queries/oauth/device-codes.ts";
import { listAccessTokens, revokeGrant } from "../../queries/oauth/grants.ts";
import {
  findAccessOwner,
  findRefresh,
  findRefreshOwner,
  revokeAccessToken,
  rotateTokens,
} from "../../queries/oauth/tokens.ts";
import type { OAuthStore } from "./oauth-store.ts";

export const openPostgresStore = (db: Database): OAuthStore => ({
  findCode: (hash) => findCode(db, hash),
  redeemCode: (hash, tokens, now) => redeemCode(db, hash, tokens, now),
  findRefresh: (hash) => findRefresh(db, hash),
  rotate: (rotation, tokens, now) => rotateTokens(db, rotation, tokens, now),
  findDevice: (hash) => findDevice(db, hash),
  recordPoll: (hash, version, intervalSeconds, now) => recordPoll(db, hash, version, intervalSeconds, now),
  redeemDevice: (hash, version, tokens, now) => redeemDevice(db, hash, version, tokens, now),
  findAccessOwner: (hash) => findAccessOwner(db, hash),
  findRefreshOwner: (hash) => findRefreshOwner(db, hash),
  listAccessTokens: (grantId, now) => listAccessTokens(db, grantId, now),
  revokeGrant: (grantId, endedBy, now) => revokeGrant(db, grantId, endedBy, now),
  revokeAccess: (hash, now) => revokeAccessToken(db, hash, now),
});
