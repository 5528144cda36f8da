import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { StartedProduct } from "../../../support/product/started-product.ts";
import { builtPages, builtSite } from "../../../support/site/built-site.ts";
import { findShapeDifference } from "../../../support/site/find-shape-difference.ts";
import { listCodeBlocks, type CodeBlock } from "../../../support/site/list-code-blocks.ts";
import { runBlock } from "../../../support/site/run-block.ts";
import { sharedProduct } from "../shared-product.ts";

/* The documentation as the started product serves it: every link is followed, and every command is run. */

let product: StartedProduct;

beforeAll(() => {
  ({ product } = sharedProduct());
});

const pathOf = (file: string) => `/${file.replace(/\.html$/, "")}`;
const withBlocks = builtPages.filter((file) => markdownOf(file).some(({ use }) => use === "run"));

function markdownOf(file: string): CodeBlock[] {
  return listCodeBlocks(builtSite.get(file.replace(/\.html$/, ".md")) ?? "");
}

test.each(withBlocks)("every command of %s runs, and prints what the page shows", async (file) => {
  const served = await fetch(`${product.facts.web_url}${pathOf(file)}.md`);
  expect(served.status).toBe(200);
  const blocks = listCodeBlocks(await served.text());
  expect(blocks.map(({ language, use }) => `${language} ${use}`)).toEqual(
    markdownOf(file).map(({ language, use }) => `${language} ${use}`),
  );
  const directory = mkdtempSync(join(tmpdir(), "docs-page-"));
  try {
    for (const [index, block] of blocks.entries()) {
      if (block.use !== "run") continue;
      const { exitCode, stdout, stderr } = await runBlock(block, directory, product.facts.api_key);
      expect({ text: block.text, exitCode, stderr }).toEqual({ text: block.text, exitCode: 0, stderr: "" });
      const shown = blocks[index + 1];
      const answer = shown?.use === "response" ? (JSON.parse(shown.text) as { object?: string }) : null;
      const difference = answer === null ? null : findShapeDifference(answer, JSON.parse(stdout));
      expect({ text: block.text, difference }).toEqual({ text: block.text, difference: null });
      const showsError = answer?.object === "error" || block.text.includes("sandbox_status=");
      expect({ text: block.text, failed: /^\{"object":"error"/m.test(stdout) }).toEqual({
        text: block.text,
        failed: showsError,
      });
      const isSilent = stdout === "" && !block.text.includes(" -o ");
      expect({ text: block.text, isSilent }).toEqual({ text: block.text, isSilent: false });
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

test("the blocks that are not run are few, and each says why", () => {
  const blocks = builtPages.flatMap((file) => markdownOf(file).map((block) => ({ file, ...block })));
  const skipped = blocks.filter(({ use }) => use === "no-run");
  const events = skipped.filter(({ file }) => file === "docs/reference/webhook-events.html");
  expect(skipped.filter((block) => !events.includes(block)).map(({ file, reason }) => `${file}: ${reason}`)).toEqual([
    "docs/authentication.html: needs the code from a mail",
    "docs/oauth.html: needs a person at a browser",
    "docs/stream.html: a sandbox has no stream, and the list must be your own",
    "docs/datasets.html: needs a live file and its status",
    "docs/mcp.html: a configuration file of the client",
    "docs/archive.html: needs archived days",
    "docs/archive.html: needs a configured catalog",
    "docs/files.html: needs a downloaded file",
  ]);
  expect(blocks.filter(({ use }) => use === "run").length).toBeGreaterThan(100);
});

test("every address that the product names leads to a page, also from the agents' files", async () => {
  const { web_url: web } = product.facts;
  const discovery = (await product.get("/api/v1", {})).body.data;
  const failure = (await product.get("/api/v1/nowhere", {})).body.error;
  const found = (await product.get("/api/v1/content/search?q=grade")).body.data as { url: string }[];
  expect(found.length).toBeGreaterThan(0);
  const files = await Promise.all(
    ["/llms.txt", "/agents.md", "/auth.md", "/skill.md"].map(async (path) => (await fetch(`${web}${path}`)).text()),
  );
  const named = [...files.join("\n").matchAll(/\]\((http[^)\s]+)\)/g)].map(([, target = ""]) => target);
  const record = (await (await fetch(`${product.facts.sandbox_url}/api/v1/record`)).json()) as any;
  const addresses = [
    discovery.docs_url,
    failure.doc_url,
    record.data.methodology_url,
    ...found.map(({ url }) => url),
    ...named,
    `${web}/billing`,
    web,
  ];
  expect(addresses.length).toBeGreaterThan(30);
  for (const address of new Set(addresses)) {
    const { hash, href } = new URL(address);
    const response = await fetch(href);
    const text = await response.text();
    expect({ address, status: response.status }).toEqual({ address, status: 200 });
    const anchor = hash.slice(1);
    const hasAnchor = anchor === "" || text.includes(` id="${anchor}"`) || text.includes(`{#${anchor}}`);
    expect({ address, hasAnchor }).toEqual({ address, hasAnchor: true });
  }
});
