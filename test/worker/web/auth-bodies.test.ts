import { sql } from "drizzle-orm";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { Runtime } from "../../../src/runtime.ts";
import { AUTH_ROUTES } from "../../../src/web/auth-routes.ts";
import { createTestDatabase } from "../../support/database.ts";
import { expectApiError } from "../../support/kernel/api-error.ts";
import { openTestRuntime, type Answer } from "../../support/kernel/open-kernel.ts";
import { NO_REQUEST_LIMITS } from "../../support/unlimited.ts";
import { aMember, type Member } from "../../support/web/members.ts";
import { openSite, ORIGIN, type Site } from "../../support/web/open-site.ts";
import { aSoftwarePasskey } from "../../support/web/software-passkey.ts";

const text = (length: number) => "a".repeat(length);
const credential = (response: object) => ({ id: "aaaa", rawId: "aaaa", type: "public-key", clientExtensionResults: {}, response });
const REGISTRATION = { response: credential({ clientDataJSON: "e30", attestationObject: "oA" }) };
const ASSERTION = { response: credential({ clientDataJSON: "e30", authenticatorData: "AAAA", signature: "AAAA" }) };

/** For each route that takes a body, one that it takes. */
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

test("every route with a body has one here", () => {
  expect(Object.keys(BODIES).sort()).toEqual(posts.map(([, path]) => path).sort());
});

describe.for(posts)("%s %s", ([method, path]) => {
  const body = () => BODIES[path] ?? {};
  const send = (changed: unknown) => site.browser().send(`/api/auth${path}`, { method, body: changed });

  test("takes what it knows", async () => {
    expect((await send(body())).body.error?.reason).toBeUndefined();
  });

  const foreign = ["name", "image", "accountId", "callbackURL", "createSession", "rememberMe", "__proto__x", text(300)];

  test.for(foreign.filter((field) => !Object.hasOwn(BODIES[path] ?? {}, field)))("refuses the field %s", async (field) => {
    const answer = await send({ ...body(), [field]: "javascript:alert(1)" });
    expectApiError(answer, { status: 400, code: "bad_request", reason: "invalid_body", param: field.length > 200 ? "body" : field });
  });

  test("refuses a field that is missing, of another type, empty or long", async () => {
    for (const field of Object.keys(body())) {
      const isOptional = path === "/passkey/verify-registration" && field === "name";
      for (const value of [undefined, null, 1, true, [], ["a"], { a: 1 }, "", text(1_000_000)]) {
        if (value === undefined && isOptional) continue;
        const answer = await send({ ...body(), [field]: value });
        expect({ field, value: String(value).slice(0, 9), status: answer.status, reason: answer.body.error?.reason }).toEqual({
          ...{ field, value: String(value).slice(0, 9) },
          ...{ status: 400, reason: "invalid_body" },
        });
      }
    }
  });

  test("refuses a query", async () => {
    const answer = await site.browser().send(`/api/auth${path}?callbackURL=https%3A%2F%2Fevil.example`, { method, body: body() });
    expectApiError(answer, { status: 400, code: "bad_request", reason: "invalid_query", param: "callbackURL" });
  });
});

describe.for(gets)("%s %s", ([method, path]) => {
  test.for(["callbackURL=https://evil.example", "context=x", "limit=1", "name=%00", `name=${text(200)}`, "disableCookieCache=1"])(
    "refuses the query %s",
    async (query) => {
      const answer = await site.browser().send(`/api/auth${path}?${query}`, { method });
      expectApiError(answer, { status: 400, code: "bad_request", reason: "invalid_query", param: query.split("=")[0] ?? "" });
    },
  );
});

describe.for(routes)("%s %s", ([method, path]) => {
  test("with its budget spent is 429, and asks the database nothing", async () => {
    const requestLimiter = { spend: async () => new Date(Date.now() + 9_000) };
    const browser = openSite({ ...runtime, requestLimiter }).browser();
    const network = fetch;
    let asked = 0;
    vi.stubGlobal("fetch", (input: string, init?: RequestInit) => {
      asked += 1;
      return network(input, init);
    });
    const answer = await browser.send(`/api/auth${path}`, { method, body: BODIES[path] });
    expectApiError(answer, { status: 429, code: "rate_limited", reason: null, param: null });
    expect(answer.headers.get("retry-after")).toBe("9");
    expect(asked).toBe(0);
  });

  test("leads nowhere else", async () => {
    const answer = await site.browser().send(`/api/auth${path}`, { method, body: BODIES[path] });
    expect([answer.headers.get("location"), Math.floor(answer.status / 100) === 3]).toEqual([null, false]);
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
])("the path /api/auth%s is unknown", async (path) => {
  for (const method of ["GET", "POST"]) {
    const answer = await site.browser().send(`/api/auth${path}`, { method, body: method === "GET" ? undefined : {} });
    expectApiError(answer, { status: 404, code: "not_found", reason: "unknown_endpoint", param: null });
  }
});

describe("the first sign-in", () => {
  test.for([{ name: text(900_000) }, { image: "javascript:alert(1)" }, { name: "A", image: "https://evil.example/a.png" }])(
    "stores no name and no image",
    async (extra) => {
      const [browser, email] = [site.browser(), `extra-${crypto.randomUUID()}@example.test`];
      await browser.send("/api/auth/email-otp/send-verification-otp", { method: "POST", body: { email, type: "sign-in" } });
      const entry = { email, otp: browser.codeFor(email) };
      const refused = await browser.send("/api/auth/sign-in/email-otp", { method: "POST", body: { ...entry, ...extra } });
      expect(refused.body.error).toMatchObject({ reason: "invalid_body" });
      expect((await browser.send("/api/auth/sign-in/email-otp", { method: "POST", body: entry })).status).toBe(200);
      const { rows } = await runtime.db.execute(sql`select name, image from users where email = ${email}`);
      expect(rows).toEqual([{ name: "", image: null }]);
    },
  );

  test("of one address on two browsers at once makes one person, and signs in both", async () => {
    const [email, browsers] = [`twice-${crypto.randomUUID()}@example.test`, [site.browser(), site.browser()]];
    const codes: string[] = [];
    for (const browser of browsers) {
      await browser.send("/api/auth/email-otp/send-verification-otp", { method: "POST", body: { email, type: "sign-in" } });
      codes.push(browser.codeFor(email));
    }
    const answers = await Promise.all(
      browsers.map((browser, index) => browser.send("/api/auth/sign-in/email-otp", { method: "POST", body: { email, otp: codes[index] } })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const { rows } = await runtime.db.execute(sql`select from users where email = ${email}`);
    expect(rows).toHaveLength(1);
  });
});

describe("a passkey's registration", () => {
  const verify = async (member: Member, body: unknown): Promise<Answer> => {
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
  ] as const)("%j that is made up is 400", async ([body, param]) => {
    const member = await aMember(site, runtime);
    expectApiError(await verify(member, body), { ...REFUSED, param });
  });

  test("that is sound but for its attestation is 400", async () => {
    const member = await aMember(site, runtime);
    const passkey = await aSoftwarePasskey();
    const options = (await member.send("/api/auth/passkey/generate-register-options")).body;
    const { response, ...rest }: any = await passkey.register(options, ORIGIN);
    const broken = { ...rest, response: { ...response, attestationObject: response.attestationObject.slice(0, -40) } };
    const answer = await member.send("/api/auth/passkey/verify-registration", { method: "POST", body: { response: broken } });
    expectApiError(answer, { ...REFUSED, param: "response" });
  });

  test("of one that is registered already is 400, and says nothing of whose it is", async () => {
    const [member, stranger, passkey] = [await aMember(site, runtime), await aMember(site, runtime), await aSoftwarePasskey()];
    const register = async (by: Member) => {
      const options = (await by.send("/api/auth/passkey/generate-register-options")).body;
      return by.send("/api/auth/passkey/verify-registration", {
        method: "POST",
        body: { response: await passkey.register(options, ORIGIN) },
      });
    };
    const made = await register(member);
    expect(made.status).toBe(200);
    expect([...made.headers.keys()].filter((name) => name.includes("verified"))).toEqual([]);
    for (const by of [member, stranger]) {
      const again = await register(by);
      expect({ status: again.status, code: again.body.code }).toEqual({ status: 400, code: "PREVIOUSLY_REGISTERED" });
      expect([...again.headers.keys()].filter((name) => name.includes("verified"))).toEqual([]);
    }
  });
});

describe("no body makes a route fail", () => {
  const VALUES: readonly unknown[] = [
    ...[null, true, false, 0, -1, 1.5, 1e300, "", " ", "\u0000", "a", "AAAA", "e30", "😀", "../..", "javascript:alert(1)", "' or 1=1 --"],
    ...["__proto__", text(64), text(30_000), [], [[]], ["a", 1], {}, { id: {} }, { toString: "a" }, { length: 1e9 }],
    ...[REGISTRATION.response, ASSERTION.response, credential({}), credential({ clientDataJSON: "bnVsbA", attestationObject: "9g" })],
    ...[credential({ clientDataJSON: "W10", authenticatorData: "AAAA", signature: "MAA" }), { ...REGISTRATION.response, id: "bbbb" }],
    ...[
      { ...REGISTRATION.response, type: "password" },
      { ...ASSERTION.response, clientExtensionResults: { a: { b: {} } } },
    ],
  ];

  test.for(posts)("%s %s", async ([method, path]) => {
    const member = await aMember(site, runtime);
    const fields = [...Object.keys(BODIES[path] ?? {}), "response", "id", "token", "name", "constructor"];
    const failed: unknown[] = [];
    let sent = 0;
    for (const value of VALUES) {
      for (const body of [value, { ...BODIES[path], [fields[sent % fields.length] ?? ""]: value }, { ...BODIES[path], response: value }]) {
        // A challenge is there to be answered, and a session to lose: what follows has neither.
        if (path === "/passkey/verify-registration") await member.send("/api/auth/passkey/generate-register-options");
        if (path === "/passkey/verify-authentication") await member.send("/api/auth/passkey/generate-authenticate-options");
        const { status } = await member.send(`/api/auth${path}`, { method, body });
        sent += 1;
        if (status >= 500) failed.push([body, status]);
      }
    }
    expect(sent).toBeGreaterThan(90);
    expect(failed).toEqual([]);
  });
});
