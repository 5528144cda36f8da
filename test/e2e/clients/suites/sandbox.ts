import { beforeAll, expect, test } from "vitest";
import type { StartedProduct } from "../../../support/product/started-product.ts";
import { sharedProduct } from "../shared-product.ts";

let product: StartedProduct;

beforeAll(() => {
  ({ product } = sharedProduct());
});

test("an agent that has only the base URL registers, and its key gets an answer of the sandbox", async () => {
  const discovery = (await product.get("/api/v1", {})).body.data;
  expect(discovery.sandbox_base_url).toBe(`${product.facts.sandbox_url}/api/v1`);
  const guide = await fetch(discovery.agent_guide_url);
  expect({ status: guide.status, text: await guide.text() }).toEqual({
    status: 200,
    text: expect.stringContaining(discovery.agent_registration_url),
  });
  const registered = await fetch(discovery.agent_registration_url, { method: "POST" });
  expect(registered.status).toBe(201);
  const { api_key: key, sandbox, livemode } = ((await registered.json()) as any).data;
  expect(livemode).toBe(false);
  const headers = { authorization: `Bearer ${key}` };
  const first = await fetch(sandbox.first_request_url, { headers });
  expect({ status: first.status, key: first.headers.get("x-oxi-sandbox-key") }).toEqual({ status: 200, key: "valid" });
  expect(((await first.json()) as any).data).not.toEqual([]);
  const live = await product.get("/api/v1/large-trades", headers);
  expect({ status: live.status, reason: live.body.error.reason }).toEqual({ status: 401, reason: "sandbox_api_key" });
  expect((await fetch(sandbox.openapi_url)).status).toBe(200);
});

test("a download of the sandbox can be fetched from the started product", async () => {
  const download = `${product.facts.sandbox_url}/api/v1/datasets/whale-trades/17/download`;
  const response = await fetch(download);
  expect({ status: response.status, url: response.url }).toEqual({
    status: 200,
    url: `${product.facts.sandbox_url}/files/datasets/17`,
  });
  expect(JSON.parse(await response.text())).toMatchObject({ id: expect.stringMatching(/^wt_/) });
});
