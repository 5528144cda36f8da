import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { OPERATIONS } from "../src/operations/index.ts";
import { buildDocument } from "./openapi/document.ts";

/*
 * Writes the OpenAPI 3.1 document from the registry, so that the Worker can serve it as bytes, and its ETag, so that no request computes it.
 *   node scripts/build-openapi.ts           writes it
 *   node scripts/build-openapi.ts --check   fails when the stored document is out of step, or when the linter finds an error
 */
const generated = new URL("../src/generated/", import.meta.url);

async function lint(document: string): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended"], rules: { "operation-4xx-response": "error" } });
  const problems = await lintFromString({ source: document, absoluteRef: "openapi.json", config });
  return problems
    .filter((problem) => problem.severity === "error")
    .map((p) => `${p.ruleId}: ${p.message} at ${p.location[0]?.pointer ?? "?"}`);
}

const document = buildDocument(OPERATIONS);
const etag = createHash("sha256").update(document).digest("hex").slice(0, 32);
const files = {
  "openapi.txt": document,
  "openapi-etag.ts": `/** Of openapi.txt, with which it is written. */\nexport const OPENAPI_ETAG = 'W/"${etag}"';\n`,
};
const problems = await lint(document);
for (const problem of problems) console.error(problem);
if (process.argv.includes("--check")) {
  const late = Object.entries(files).filter(([name, text]) => {
    const file = new URL(name, generated);
    return !existsSync(file) || readFileSync(file, "utf8") !== text;
  });
  for (const [name] of late) console.error(`src/generated/${name} is out of step with the registry: run npm run openapi`);
  process.exitCode = late.length === 0 && problems.length === 0 ? 0 : 1;
} else {
  for (const [name, text] of Object.entries(files)) writeFileSync(new URL(name, generated), text);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
