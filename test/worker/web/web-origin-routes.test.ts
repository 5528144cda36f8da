import { beforeAll, expect, test } from "vitest";
import { createApp } from "../../../src/app.ts";
import { OPERATIONS } from "../../../src/operations/index.ts";
import { createTestDatabase } from "../../support/database/database.ts";
import { openTestRuntime } from "../../support/kernel/open-kernel.ts";

let app: ReturnType<typeof createApp>;

beforeAll(async () => {
  const { databaseUrl } = await createTestDatabase();
  app = createApp(openTestRuntime(databaseUrl), OPERATIONS);
});

const send = (url: string, init: RequestInit = {}) => app.fetch(new Request(url, init), {});

test.for(["/api/keys", "/api/keys/integrations"])("the web origin serves %s to its own pages only", async (path) => {
  const own = await send(`http://web.test${path}`, { headers: { origin: "http://web.test" } });
  expect(own.status).toBe(401);
  expect(own.headers.get("access-control-allow-origin")).toBe("http://web.test");
  expect(own.headers.get("x-request-id")).toMatch(/^req_/);
  expect(await own.json()).toMatchObject({ object: "error", meta: { request_id: own.headers.get("x-request-id") } });
  const foreign = await send(`http://web.test${path}`, { headers: { origin: "https://evil.example" } });
  expect(foreign.status).toBe(403);
  expect(foreign.headers.get("access-control-allow-origin")).toBeNull();
});

test.for(["/api/keys", "/api/keys/regenerate", "/api/v1/keys/regenerate", "/api/auth/get-session"])(
  "the API origin does not serve %s",
  async (path) => {
    const response = await send(`http://api.test${path}`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { reason: "unknown_endpoint" } });
  },
);

test("the web origin serves sign-in and /api/v1/keys/regenerate", async () => {
  const headers = { origin: "http://web.test", "content-type": "application/json" };
  expect(await (await send("http://web.test/api/auth/get-session", { headers })).json()).toBeNull();
  expect((await send("http://web.test/api/v1/keys/regenerate", { method: "POST", headers })).status).toBe(401);
});
