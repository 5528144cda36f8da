import { readFileSync, writeFileSync } from "node:fs";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { OPERATIONS } from "../src/operations/index.ts";
import { buildDocument } from "./openapi/document.ts";

/*
 * Writes the OpenAPI 3.1 document from the registry, so that the Worker can serve it as bytes.
 *   node scripts/build-openapi.ts           writes it
 *   node scripts/build-openapi.ts --check   fails when the stored document is out of step, or when the linter finds an error
 */
const file = new URL("../src/generated/openapi.txt", import.meta.url);

async function lint(document: string): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended"], rules: { "operation-4xx-response": "error" } });
  const problems = await lintFromString({ source: document, absoluteRef: "openapi.json", config });
  return problems
    .filter((problem) => problem.severity === "error")
    .map((p) => `${p.ruleId}: ${p.message} at ${p.location[0]?.pointer ?? "?"}`);
}

const document = buildDocument(OPERATIONS);
const problems = await lint(document);
for (const problem of problems) console.error(problem);
if (process.argv.includes("--check")) {
  const inStep = readFileSync(file, "utf8") === document;
  if (!inStep) console.error("src/generated/openapi.txt is out of step with the registry: run npm run openapi");
  process.exitCode = inStep && problems.length === 0 ? 0 : 1;
} else {
  writeFileSync(file, document);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
