import { afterAll, beforeAll, describe } from "vitest";
import { startSharedProduct, stopSharedProduct } from "./shared-product.ts";

/*
 * Suites that need simulated data and have accounts of their own run on one product, because its first fill takes longer
 * than most of them.
 */
beforeAll(startSharedProduct);

afterAll(stopSharedProduct);

describe("documentation", async () => {
  await import("./suites/docs.ts");
});

describe("sandbox", async () => {
  await import("./suites/sandbox.ts");
});

describe("client library and command line", async () => {
  await import("./suites/client.ts");
});

describe("MCP", async () => {
  await import("./suites/mcp.ts");
});
