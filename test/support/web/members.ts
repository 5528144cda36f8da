import { sql } from "drizzle-orm";
import { z } from "zod";
import { authenticate, credentialEntry } from "../../../src/auth/authenticate.ts";
import { defineOperation } from "../../../src/api/operation.ts";
import type { Scope } from "../../../src/domain/accounts.ts";
import type { Runtime } from "../../../src/runtime.ts";
import { PLAIN } from "../kernel/plain.ts";
import type { Browser, Site } from "./open-site.ts";

export interface Member extends Browser {
  readonly accountId: number;
}

let members = 0;

/** Somebody signed in, on the Pro plan unless it is said otherwise. */
export async function aMember(site: Site, { db }: Runtime, facts: { plan?: string; state?: string } = {}): Promise<Member> {
  const browser = site.browser();
  const email = `member-${++members}@example.test`;
  await browser.signIn(email);
  const { plan = "pro", state = "active" } = facts;
  const { rows } = await db.execute(sql`update accounts set plan = ${plan}, state = ${state} where email = ${email} returning id`);
  return { ...browser, accountId: Number(rows[0]?.["id"]) };
}

/** An operation of the API for whoever has a live key with the scope to read. */
export const READ = defineOperation({
  ...PLAIN,
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

/** Whether the API lets a key in at some time, as its stored row tells. @returns the scopes it has, or why it is refused */
export async function judge(key: string, { runtime, at }: { runtime: Runtime; at: Date }): Promise<readonly Scope[] | string> {
  const request = new Request("http://api.test/api/v1/something", { headers: { authorization: `Bearer ${key}` } });
  const entry = await credentialEntry(request, new URL(request.url), runtime.config);
  try {
    const { scopes } = await authenticate({ key: entry, stored: null }, { scope: null, plan: "pro" }, runtime, at, () => undefined);
    return scopes;
  } catch (error) {
    return error instanceof Error && "reason" in error ? String(error.reason) : String(error);
  }
}
