import { readFileSync } from "node:fs";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import spectralCore from "@stoplight/spectral-core";
import spectralRulesets from "@stoplight/spectral-rulesets";
import { OPERATIONS } from "../../src/operations/index.ts";
import type { CommandResult } from "./run-command.ts";

const DOCUMENTS = ["src/generated/openapi.txt", "src/generated/web-openapi.txt"];

/** The rules that demand a success, and the paths of operations without one: retired ones, and redirects to files. */
const DEMANDS_SUCCESS = new Set<unknown>(["operation-2xx-response", "operation-success-response"]);
const WITHOUT_SUCCESS = OPERATIONS.filter(
  (operation) => operation.kind === "retired" || (operation.kind === "redirect" && operation.servesTarget !== true),
).map(({ path }) => path);

const isMissingSuccess = (rule: unknown, path: string): boolean =>
  DEMANDS_SUCCESS.has(rule) && WITHOUT_SUCCESS.includes(path);

/**
 * Lints the OpenAPI documents with Redocly's `recommended` and Spectral's `spectral:oas`; any problem fails.
 */
export async function lintDocument(): Promise<CommandResult> {
  const problems: string[] = [];
  for (const file of DOCUMENTS) {
    const source = readFileSync(file, "utf8");
    const found = [...(await lintWithRedocly(source)), ...(await lintWithSpectral(source))];
    problems.push(...found.map((problem) => `${file}: ${problem}`));
  }
  return { ok: problems.length === 0, output: problems.map((problem) => `${problem}\n`).join("") };
}

async function lintWithRedocly(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({ source, absoluteRef: "openapi.json", config });
  return problems.flatMap(({ ruleId, severity, message, location }) => {
    const [at] = location;
    const pointer = at !== undefined && "pointer" in at ? (at.pointer ?? "") : "";
    const path = pointer.split("/")[2]?.replaceAll("~1", "/") ?? "";
    return isMissingSuccess(ruleId, path) ? [] : `redocly ${severity} ${ruleId}: ${message} (${pointer})`;
  });
}

async function lintWithSpectral(source: string): Promise<string[]> {
  const spectral = new spectralCore.Spectral();
  spectral.setRuleset(new spectralCore.Ruleset({ extends: [[spectralRulesets.oas, "recommended"]] }));
  const problems = await spectral.run(source);
  return problems
    .filter(({ code, path }) => !isMissingSuccess(code, String(path[1])))
    .map(({ code, message, path }) => `spectral ${code}: ${message} (${path.join("/")})`);
}
