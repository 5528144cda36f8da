import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import type { Runtime } from "../../../src/runtime.ts";
import { aMember, type Member } from "../../support/web/members.ts";
import { openTestSite, ORIGIN, type Browser, type Site } from "../../support/web/open-site.ts";
import { aSoftwarePasskey, type SoftwarePasskey } from "../../support/web/software-passkey.ts";

let runtime: Runtime;
let site: Site;

beforeAll(async () => {
  ({ runtime, site } = await openTestSite());
});

async function register(browser: Browser, passkey: SoftwarePasskey, origin = ORIGIN) {
  const options = await browser.send("/api/auth/passkey/generate-register-options");
  if (options.status !== 200) return options;
  const response = await passkey.register(options.body, origin);
  return browser.send("/api/auth/passkey/verify-registration", { method: "POST", body: { response, name: "laptop" } });
}

async function signIn(browser: Browser, passkey: SoftwarePasskey, origin = ORIGIN) {
  const options = await browser.send("/api/auth/passkey/generate-authenticate-options");
  const response = await passkey.sign(options.body, origin);
  return browser.send("/api/auth/passkey/verify-authentication", { method: "POST", body: { response } });
}

async function aMemberWithPasskey(): Promise<{ member: Member; passkey: SoftwarePasskey }> {
  const member = await aMember(site, runtime);
  const passkey = await aSoftwarePasskey();
  expect((await register(member, passkey)).status).toBe(200);
  return { member, passkey };
}

const accountOf = async (browser: Browser) =>
  (await browser.send("/api/auth/get-session")).body?.user.accountId ?? null;

test("a registered passkey signs its owner in on another browser without a code", async () => {
  const { member, passkey } = await aMemberWithPasskey();
  const otherBrowser = site.browser();
  expect((await signIn(otherBrowser, passkey)).status).toBe(200);
  expect(await accountOf(otherBrowser)).toBe(member.accountId);
  expect((await otherBrowser.send("/api/keys", { method: "POST" })).status).toBe(201);
  expect((await signIn(otherBrowser, passkey)).status).toBe(200);
});

test("a passkey registration without a session returns 401", async () => {
  expect((await register(site.browser(), await aSoftwarePasskey())).status).toBe(401);
});

test("an unregistered passkey does not sign in", async () => {
  await aMemberWithPasskey();
  const stranger = site.browser();
  expect((await signIn(stranger, await aSoftwarePasskey())).status).toBe(401);
  expect(await accountOf(stranger)).toBeNull();
});

test("a passkey response created for another website neither registers nor signs in", async () => {
  const { member, passkey } = await aMemberWithPasskey();
  const stranger = site.browser();
  expect((await signIn(stranger, passkey, "https://evil.example")).status).toBeGreaterThanOrEqual(400);
  expect(await accountOf(stranger)).toBeNull();
  expect((await register(member, await aSoftwarePasskey(), "https://evil.example")).status).toBeGreaterThanOrEqual(400);
  const { rows } = await runtime.db.execute(
    sql`select count(*)::int as passkeys from passkeys p join users u on u.id = p.user_id where u.account_id = ${member.accountId}`,
  );
  expect(rows[0]?.["passkeys"]).toBe(1);
});

test("a passkey response signs in only once", async () => {
  const { passkey } = await aMemberWithPasskey();
  const [browser, thief] = [site.browser(), site.browser()];
  const options = await browser.send("/api/auth/passkey/generate-authenticate-options");
  for (const [name, value] of browser.cookies) thief.cookies.set(name, value);
  const body = { response: await passkey.sign(options.body, ORIGIN) };
  expect((await browser.send("/api/auth/passkey/verify-authentication", { method: "POST", body })).status).toBe(200);
  expect(
    (await thief.send("/api/auth/passkey/verify-authentication", { method: "POST", body })).status,
  ).toBeGreaterThanOrEqual(400);
  expect(await accountOf(thief)).toBeNull();
});

test("a passkey can be removed only by its owner and no longer signs in afterwards", async () => {
  const { member, passkey } = await aMemberWithPasskey();
  const [{ id }] = (await member.send("/api/auth/passkey/list-user-passkeys")).body;
  const stranger = await aMember(site, runtime);
  expect(
    (await stranger.send("/api/auth/passkey/delete-passkey", { method: "POST", body: { id } })).status,
  ).toBeGreaterThanOrEqual(400);
  expect((await signIn(site.browser(), passkey)).status).toBe(200);
  expect((await member.send("/api/auth/passkey/delete-passkey", { method: "POST", body: { id } })).status).toBe(200);
  expect((await signIn(site.browser(), passkey)).status).toBe(401);
});
