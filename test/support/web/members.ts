import { sql } from "drizzle-orm";
import { z } from "zod";
import { hashesOf } from "../../../src/auth/api-key-format.ts";
import { defineOperation } from "../../../src/api/operation.ts";
import type { Scope } from "../../../src/domain/accounts/accounts.ts";
import { recordOf } from "../../../src/domain/accounts/credential-record.ts";
import { decideAccess } from "../../../src/domain/accounts/decide-access.ts";
import { findCredential } from "../../../src/queries/accounts/credentials.ts";
import type { Runtime } from "../../../src/runtime.ts";
import { PLAIN_OPERATION } from "../kernel/plain-operation.ts";
import { openSite, type Browser, type Site } from "./open-site.ts";

export interface Member extends Browser {
  readonly accountId: number;
}

let members = 0;

/** A signed-in user, on the Pro plan unless the facts differ. */
export async function aMember(
  site: Site,
  { db }: Runtime,
  facts: { plan?: string; state?: string } = {},
): Promise<Member> {
  const browser = site.browser();
  const email = `member-${++members}@example.test`;
  await browser.signIn(email);
  const { plan = "pro", state = "active" } = facts;
  const { rows } = await db.execute(
    sql`update accounts set plan = ${plan}, state = ${state} where email = ${email} returning id`,
  );
  return { ...browser, accountId: Number(rows[0]?.["id"]) };
}

/** The cookies of a new member's browser. */
export async function aSession(runtime: Runtime, facts: { plan?: string; state?: string } = {}): Promise<string> {
  const { cookies } = await aMember(openSite(runtime), runtime, facts);
  return [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
}

/** An operation of the API for any live key with the read scope. */
export const READ_OPERATION = defineOperation({
  ...PLAIN_OPERATION,
  kind: "single",
  id: "readSomething",
  path: "/api/v1/something",
  access: "key",
  scope: "read",
  plan: "pro",
  object: "something",
  data: z.object({}),
  handle: async () => ({ data: {} }),
});

/**
 * Whether the API accepts a key at a time, by the key's stored row. @returns the key's scopes, or the reason
 * of the refusal
 */
export async function checkKey(
  key: string,
  { runtime, at }: { runtime: Runtime; at: Date },
): Promise<readonly Scope[] | string> {
  const row = await findCredential(runtime.db, await hashesOf(runtime.config.credentialKeys, key));
  const access = decideAccess(recordOf(row), { scope: null, plan: "pro" }, at);
  return access.kind === "granted" ? access.principal.scopes : access.reason;
}
