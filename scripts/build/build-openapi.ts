import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { API_OPERATIONS, WEB_OPERATIONS } from "../../src/operations/index.ts";
import { buildAgentFiles } from "../agents/agent-files.ts";
import { buildClientFiles } from "../client/client-files.ts";
import { buildMcpTexts } from "../mcp/tool-list.ts";
import { buildApiDocument, buildWebDocument } from "../openapi/document.ts";
import { buildSamples } from "../sandbox/build-samples.ts";
import { collectFacts } from "../site/collect-facts.ts";

/*
 * Writes the OpenAPI 3.1 documents of the API and of the website from the registry, so that the Worker serves
 * them as bytes with a precomputed ETag; the tools and the methodology of the MCP endpoint; and from the API's document the
 * samples of the sandbox, the files for agents, the types, operations and errors of the client; and the facts for the pages of
 * the website.
 *   node scripts/build/build-openapi.ts           writes them, and fails when a document does not pass the linter
 *   node scripts/build/build-openapi.ts --check   fails when a stored text is outdated; scripts/checks lints the documents
 */
const generated = new URL("../../src/generated/", import.meta.url);

async function lint(document: string): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended"], rules: { "operation-4xx-response": "error" } });
  const problems = await lintFromString({ source: document, absoluteRef: "openapi.json", config });
  return problems
    .filter((problem) => problem.severity === "error")
    .map((p) => `${p.ruleId}: ${p.message} at ${p.location[0]?.pointer ?? "?"}`);
}

function presentEtag(name: string, file: string, document: string): string {
  const etag = createHash("sha256").update(document).digest("hex").slice(0, 32);
  return `/** The ETag of ${file}; both files are written together. */\nexport const ${name} = 'W/"${etag}"';\n`;
}

const apiDocument = buildApiDocument(API_OPERATIONS);
const webDocument = buildWebDocument(WEB_OPERATIONS);
const etags = [
  presentEtag("OPENAPI_ETAG", "openapi.txt", apiDocument),
  presentEtag("WEB_OPENAPI_ETAG", "web-openapi.txt", webDocument),
];
const files = {
  "openapi.txt": apiDocument,
  "web-openapi.txt": webDocument,
  "openapi-etag.ts": etags.join("\n"),
  ...buildMcpTexts(API_OPERATIONS),
  "methodology.txt": readFileSync(new URL("../../docs/methodology.md", import.meta.url), "utf8"),
  "site-facts.json": `${JSON.stringify(collectFacts(API_OPERATIONS), null, 1)}\n`,
  "sandbox-samples.txt": buildSamples(API_OPERATIONS, apiDocument),
  ...Object.fromEntries(
    Object.entries(buildAgentFiles(API_OPERATIONS, apiDocument)).map(([name, text]) => [`agents/${name}`, text]),
  ),
  ...Object.fromEntries(
    Object.entries(await buildClientFiles(API_OPERATIONS, apiDocument)).map(([name, text]) => [
      `../client/generated/${name}`,
      text,
    ]),
  ),
};
if (process.argv.includes("--check")) {
  const outdated = Object.entries(files).filter(([name, text]) => {
    const file = new URL(name, generated);
    return !existsSync(file) || readFileSync(file, "utf8") !== text;
  });
  for (const [name] of outdated) console.error(`src/generated/${name} is outdated: run npm run openapi`);
  process.exitCode = outdated.length === 0 ? 0 : 1;
} else {
  const problems = [...(await lint(apiDocument)), ...(await lint(webDocument))];
  for (const problem of problems) console.error(problem);
  for (const folder of ["agents/", "../client/generated/"]) mkdirSync(new URL(folder, generated), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(new URL(name, generated), text);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
