import { expect, test } from "vitest";
import { AGENT_FILES } from "../../src/agent-files.ts";
import { API_OPERATIONS } from "../../src/operations/index.ts";
import { openSandboxApp } from "../support/sandbox/open-sandbox-app.ts";

/* The files for agents read nothing but the build, so every port of the runtime fails. */

const app = openSandboxApp({ KEY_PREFIX: "abc" });
const read = async (path: string) => (await app.fetch(`http://web.test${path}`)).text();

test.each(AGENT_FILES)(
  "both origins serve $path with the addresses of the deployment",
  async ({ path, contentType }) => {
    for (const origin of ["http://web.test", "http://api.test"]) {
      const response = await app.fetch(`${origin}${path}`);
      expect({ status: response.status, type: response.headers.get("content-type") }).toEqual({
        status: 200,
        type: contentType,
      });
      const text = await response.text();
      expect(text).not.toMatch(/\b(api|www|sandbox)\.example\.com|svc_sk_/);
      expect(text).toContain("http://api.test/api/v1");
      const validator = response.headers.get("etag") ?? "";
      const again = await app.fetch(`${origin}${path}`, { headers: { "if-none-match": validator } });
      expect(again.status).toBe(304);
    }
  },
);

test("llms-full.txt describes every operation of the public contract", async () => {
  const text = await read("/llms-full.txt");
  for (const { method, path, summary } of API_OPERATIONS) {
    expect(text).toContain(`### ${method.toUpperCase()} ${path}\n`);
    expect(text).toContain(summary);
  }
});

// test/unit/site proves that each link to the documentation leads to a page.
test("every other link of llms.txt and the guide leads to a file", async () => {
  const served = new Set(AGENT_FILES.map(({ path }) => path));
  for (const path of ["/llms.txt", "/agents.md"]) {
    const links = [...(await read(path)).matchAll(/\]\(http:\/\/web\.test([^)#]*)\)/g)].map(
      ([, target = ""]) => target,
    );
    expect(links.length).toBeGreaterThan(3);
    for (const target of links.filter((link) => !link.startsWith("/docs")))
      expect([...served, "/api/v1/openapi.json"]).toContain(target);
  }
});

test("auth.md names each operation without a key, and has the heading that registrations link to", async () => {
  const text = await read("/auth.md");
  const open = API_OPERATIONS.filter(({ access, alias }) => access === "public" && alias === undefined);
  for (const { method, path } of open) expect(text).toContain(`- \`${method.toUpperCase()} ${path}\``);
  expect(text).toContain("## Live keys");
  expect(text).toContain("abc_sk_live_");
});

test("skill.md begins with the front matter of an agent skill", async () => {
  expect(await read("/skill.md")).toMatch(/^---\nname: [a-z-]+\ndescription: /);
});

test("the MCP server card names the endpoint of this deployment", async () => {
  const card = JSON.parse(await read("/.well-known/mcp/server-card.json"));
  expect(card).toMatchObject({ transport: { type: "streamable-http", endpoint: "http://api.test/api/v1/mcp" } });
});

test("files for agents touch no port of the runtime", () => {
  expect(app.touched).toEqual([]);
});
