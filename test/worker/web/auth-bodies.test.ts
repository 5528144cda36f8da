import { sql } from "drizzle-orm";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { Runtime } from "../../../src/runtime.ts";
import { AUTH_ROUTES } from "../../../src/web/sign-in/auth-routes.ts";
import { createTestDatabase } from "../../support/database/database.ts";
import { expectApiError } from "../../support/kernel/api-error.ts";
import { openTestRuntime, type KernelResponse } from "../../support/kernel/open-kernel.ts";
import { NO_REQUEST_LIMITS } from "../../support/api/unlimited.ts";
import { aMember, type Member } from "../../support/web/members.ts";
import { openSite, ORIGIN, type Site } from "../../support/web/open-site.ts";
import { aSoftwarePasskey } from "../../support/web/software-passkey.ts";

const text = (length: number) => "a".repeat(length);
const credential = (response: object) => ({
  id: "aaaa",
  rawId: "aaaa",
  type: "public-key",
  clientExtensionResults: {},
  response,
});
const REGISTRATION = { response: credential({ clientDataJSON: "e30", attestationObject: "oA" }) };
const ASSERTION = { response: credential({ clientDataJSON: "e30", authenticatorData: "AAAA", signature: "AAAA" }) };

/** A valid body for each route that takes one. */
const BODIES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "/email-otp/send-verification-otp": { email: "someone@example.test", type: "sign-in" },
  "/sign-in/email-otp": { email: "someone@example.test", otp: "00000000" },
  "/sign-out": {},
  "/revoke-session": { token: text(32) },
  "/revoke-sessions": {},
  "/revoke-other-sessions": {},
  "/passkey/verify-registration": { ...REGISTRATION, name: "laptop" },
  "/passkey/verify-authentication": ASSERTION,
  "/passkey/delete-passkey": { id: text(32) },
  "/passkey/update-passkey": { id: text(32), name: "laptop" },
};

const routes = [...AUTH_ROUTES].map(([path, { method }]) => [method, path] as const);
const posts = routes.filter(([method]) => method === "POST");
const gets = routes.filter(([method]) => method === "GET");

let runtime: Runtime;
let site: Site;

beforeAll(async () => {
  const database = await createTestDatabase();
  runtime = { ...openTestRuntime(database.databaseUrl), requestLimiter: NO_REQUEST_LIMITS };
  site = openSite(runtime);
});

afterEach(() => {
  vi.unstubAllGlobals();
});

test("the sample bodies cover every POST route of sign-in", () => {
  expect(Object.keys(BODIES).sort()).toEqual(posts.map(([, path]) => path).sort());
});

describe.for(posts)("%s %s", ([method, path]) => {
  const body = () => BODIES[path] ?? {};
  const send = (changed: unknown) => site.browser().send(`/api/auth${path}`, { method, body: changed });

  test("a route with a body accepts its valid sample", async () => {
    expect((await send(body())).body.error?.reason).toBeUndefined();
  });

  const foreign = ["name", "image", "accountId", "callbackURL", "createSession", "rememberMe", "__proto__x", text(300)];

  test.for(foreign.filter((field) => !Object.hasOwn(BODIES[path] ?? {}, field)))(
    "a route with a body refuses the unknown field %s",
    async (field) => {
      const result = await send({ ...body(), [field]: "javascript:alert(1)" });
      expectApiError(result, {
        status: 400,
        code: "bad_request",
        reason: "invalid_body",
        param: field.length > 200 ? "body" : field,
      });
    },
  );

  test("a route with a body refuses a field that is absent, of another type, empty or too long", async () => {
    for (const field of Object.keys(body())) {
      const isOptional = path === "/passkey/verify-registration" && field === "name";
      for (const value of [undefined, null, 1, true, [], ["a"], { a: 1 }, "", text(1_000_000)]) {
        if (value === undefined && isOptional) continue;
        const result = await send({ ...body(), [field]: value });
        expect({
          field,
          value: String(value).slice(0, 9),
          status: result.status,
          reason: result.body.error?.reason,
        }).toEqual({
          ...{ field, value: String(value).slice(0, 9) },
          ...{ status: 400, reason: "invalid_body" },
        });
      }
    }
  });

  test("a route with a body refuses a query", async () => {
    const result = await site
      .browser()
      .send(`/api/auth${path}?callbackURL=https%3A%2F%2Fevil.example`, { method, body: body() });
    expectApiError(result, { status: 400, code: "bad_request", reason: "invalid_query", param: "callbackURL" });
  });
});

describe.for(gets)("%s %s", ([method, path]) => {
  test.for([
    "callbackURL=https://evil.example",
    "context=x",
    "limit=1",
    "name=%00",
    `name=${text(200)}`,
    "disableCookieCache=1",
  ])("a GET route refuses the query %s", async (query) => {
    const result = await site.browser().send(`/api/auth${path}?${query}`, { method });
    expectApiError(result, {
      status: 400,
      code: "bad_request",
      reason: "invalid_query",
      param: query.split("=")[0] ?? "",
    });
  });
});

describe.for(routes)("%s %s", ([method, path]) => {
  test("a route whose request budget is spent returns 429 without a database request", async () => {
    const requestLimiter = { spend: async () => new Date(Date.now() + 9_000) };
    const browser = openSite({ ...runtime, requestLimiter }).browser();
    const network = fetch;
    let databaseRequests = 0;
    vi.stubGlobal("fetch", (input: string, init?: RequestInit) => {
      databaseRequests += 1;
      return network(input, init);
    });
    const result = await browser.send(`/api/auth${path}`, { method, body: BODIES[path] });
    expectApiError(result, { status: 429, code: "rate_limited", reason: null, param: null });
    expect(result.headers.get("retry-after")).toBe("9");
    expect(databaseRequests).toBe(0);
  });

  test("a route never redirects", async () => {
    const result = await site.browser().send(`/api/auth${path}`, { method, body: BODIES[path] });
    expect([result.headers.get("location"), Math.floor(result.status / 100) === 3]).toEqual([null, false]);
  });
});

test.for([
  "",
  "/",
  "/error",
  "/ok",
  "/get-session/",
  "//get-session",
  "/Get-Session",
  "/get-session/x",
  "/get%2Dsession",
  "/..%2fkeys",
  "/callback/x",
])("the path /api/auth%s returns 404 unknown_endpoint", async (path) => {
  for (const method of ["GET", "POST"]) {
    const result = await site.browser().send(`/api/auth${path}`, { method, body: method === "GET" ? undefined : {} });
    expectApiError(result, { status: 404, code: "not_found", reason: "unknown_endpoint", param: null });
  }
});

describe("the first sign-in", () => {
  test.for([
    { name: text(900_000) },
    { image: "javascript:alert(1)" },
    { name: "A", image: "https://evil.example/a.png" },
  ])("stores no name and no image", async (extra) => {
    const [browser, email] = [site.browser(), `extra-${crypto.randomUUID()}@example.test`];
    await browser.send("/api/auth/email-otp/send-verification-otp", {
      method: "POST",
      body: { email, type: "sign-in" },
    });
    const entry = { email, otp: browser.codeFor(email) };
    const refused = await browser.send("/api/auth/sign-in/email-otp", { method: "POST", body: { ...entry, ...extra } });
    expect(refused.body.error).toMatchObject({ reason: "invalid_body" });
    expect((await browser.send("/api/auth/sign-in/email-otp", { method: "POST", body: entry })).status).toBe(200);
    const { rows } = await runtime.db.execute(sql`select name, image from users where email = ${email}`);
    expect(rows).toEqual([{ name: "", image: null }]);
  });

  test("two concurrent sign-ins with one address create one user and sign in both browsers", async () => {
    const [email, browsers] = [`twice-${crypto.randomUUID()}@example.test`, [site.browser(), site.browser()]];
    const codes: string[] = [];
    for (const browser of browsers) {
      await browser.send("/api/auth/email-otp/send-verification-otp", {
        method: "POST",
        body: { email, type: "sign-in" },
      });
      codes.push(browser.codeFor(email));
    }
    const responses = await Promise.all(
      browsers.map((browser, index) =>
        browser.send("/api/auth/sign-in/email-otp", { method: "POST", body: { email, otp: codes[index] } }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    const { rows } = await runtime.db.execute(sql`select from users where email = ${email}`);
    expect(rows).toHaveLength(1);
  });
});

describe("passkey registration", () => {
  const verify = async (member: Member, body: unknown): Promise<KernelResponse> => {
    await member.send("/api/auth/passkey/generate-register-options");
    return member.send("/api/auth/passkey/verify-registration", { method: "POST", body });
  };
  const REFUSED = { status: 400, code: "bad_request", reason: "invalid_body" };

  test.for([
    [{ response: {} }, "response.id"],
    [{ response: null }, "response"],
    [{}, "response"],
    [REGISTRATION, "response"],
    [{ response: credential({ clientDataJSON: "AAAA", attestationObject: "AAAA" }) }, "response"],
    [{ response: credential({ clientDataJSON: "e30", attestationObject: text(19_999) }) }, "response"],
  ] as const)("the invented registration %j returns 400", async ([body, param]) => {
    const member = await aMember(site, runtime);
    expectApiError(await verify(member, body), { ...REFUSED, param });
  });

  test("a registration with a broken attestation returns 400", async () => {
    const member = await aMember(site, runtime);
    const passkey = await aSoftwarePasskey();
    const options = (await member.send("/api/auth/passkey/generate-register-options")).body;
    const { response, ...rest }: any = await passkey.register(options, ORIGIN);
    const broken = { ...rest, response: { ...response, attestationObject: response.attestationObject.slice(0, -40) } };
    const result = await member.send("/api/auth/passkey/verify-registration", {
      method: "POST",
      body: { response: broken },
    });
    expectApiError(result, { ...REFUSED, param: "response" });
  });

  test("a registration of an already registered passkey returns 400 without its owner", async () => {
    const [member, stranger, passkey] = [
      await aMember(site, runtime),
      await aMember(site, runtime),
      await aSoftwarePasskey(),
    ];
    const register = async (registrant: Member) => {
      const options = (await registrant.send("/api/auth/passkey/generate-register-options")).body;
      return registrant.send("/api/auth/passkey/verify-registration", {
        method: "POST",
        body: { response: await passkey.register(options, ORIGIN) },
      });
    };
    const created = await register(member);
    expect(created.status).toBe(200);
    expect([...created.headers.keys()].filter((name) => name.includes("verified"))).toEqual([]);
    for (const registrant of [member, stranger]) {
      const again = await register(registrant);
      expect({ status: again.status, code: again.body.code }).toEqual({ status: 400, code: "PREVIOUSLY_REGISTERED" });
      expect([...again.headers.keys()].filter((name) => name.includes("verified"))).toEqual([]);
    }
  });
});

describe("fuzzed bodies", () => {
  const VALUES: readonly unknown[] = [
    ...[
      null,
      true,
      false,
      0,
      -1,
      1.5,
      1e300,
      "",
      " ",
      "\u0000",
      "a",
      "AAAA",
      "e30",
      "😀",
      "../..",
      "javascript:alert(1)",
      "' or 1=1 --",
    ],
    ...["__proto__", text(64), text(30_000), [], [[]], ["a", 1], {}, { id: {} }, { toString: "a" }, { length: 1e9 }],
    ...[
      REGISTRATION.response,
      ASSERTION.response,
      credential({}),
      credential({ clientDataJSON: "bnVsbA", attestationObject: "9g" }),
    ],
    ...[
      credential({ clientDataJSON: "W10", authenticatorData: "AAAA", signature: "MAA" }),
      { ...REGISTRATION.response, id: "bbbb" },
    ],
    ...[
      { ...REGISTRATION.response, type: "password" },
      { ...ASSERTION.response, clientExtensionResults: { a: { b: {} } } },
    ],
  ];

  test.for(posts)("%s %s returns no 5xx for any fuzzed body", async ([method, path]) => {
    const member = await aMember(site, runtime);
    const fields = [...Object.keys(BODIES[path] ?? {}), "response", "id", "token", "name", "constructor"];
    const failed: unknown[] = [];
    let sent = 0;
    for (const value of VALUES) {
      for (const body of [
        value,
        { ...BODIES[path], [fields[sent % fields.length] ?? ""]: value },
        { ...BODIES[path], response: value },
      ]) {
        // A verification needs a pending challenge; the request before has used it up.
        if (path === "/passkey/verify-registration") await member.send("/api/auth/passkey/generate-register-options");
        if (path === "/passkey/verify-authentication")
          await member.send("/api/auth/passkey/generate-authenticate-options");
        const { status } = await member.send(`/api/auth${path}`, { method, body });
        sent += 1;
        if (status >= 500) failed.push([body, status]);
      }
    }
    expect(sent).toBeGreaterThan(90);
    expect(failed).toEqual([]);
  });
});
