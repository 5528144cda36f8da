import type { CredentialRecord } from "../../../src/domain/accounts/credential-record.ts";

type KeyRecord = Extract<CredentialRecord, { kind: "key" }>;

/** The record of an API key of an account on the Pro plan. */
export const aKeyRecord = (accountId: number, facts: Partial<KeyRecord> = {}): KeyRecord => ({
  kind: "key",
  credential_kind: "api_key",
  key_id: 11,
  account_id: accountId,
  scopes: ["read"],
  resource: "api",
  expires_ms: null,
  revoked: false,
  plan: "pro",
  state: "active",
  pay_as_you_go: false,
  ...facts,
});
