import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkBundle } from "./bundle.ts";
import { listFailedTests, listLongestFiles, SuiteResult, withoutPassedTests } from "./suite-result.ts";
import { findForbiddenImports } from "./import-table.ts";
import { lintDocument } from "./lint-document.ts";
import { lintMigrations } from "./lint-migrations.ts";
import { checkMigrations } from "./check-migrations.ts";
import { endCommands, runCommand, type CommandResult } from "./run-command.ts";

/*
 * Runs all checks and test suites in order and ends with one line of totals. `npm test -- --only unit,worker`
 * runs a part.
 */
const node = process.execPath;
const script = (file: string, ...args: string[]) =>
  runCommand(node, ["--disable-warning=ExperimentalWarning", file, ...args]);

const CHECKS: readonly { name: string; run: () => Promise<CommandResult> | CommandResult }[] = [
  { name: "types", run: () => runCommand(node, ["node_modules/typescript/bin/tsc", "-p", "."]) },
  { name: "lint", run: () => runCommand(node, ["node_modules/oxlint/bin/oxlint", "--deny-warnings"]) },
  { name: "format", run: () => runCommand(node, ["node_modules/oxfmt/bin/oxfmt", "--check", "."]) },
  {
    name: "imports",
    run: () => {
      const forbidden = findForbiddenImports(process.cwd());
      return { ok: forbidden.length === 0, output: forbidden.map((line) => `${line}\n`).join("") };
    },
  },
  { name: "migrations", run: checkMigrations },
  { name: "migration-lint", run: () => lintMigrations("migrations") },
  { name: "openapi", run: () => script("scripts/build/build-openapi.ts", "--check") },
  { name: "data-model", run: () => script("scripts/build/build-data-model.ts", "--check") },
  { name: "cost", run: () => script("scripts/build/build-cost.ts", "--check") },
  { name: "unused", run: findUnused },
  { name: "document", run: lintDocument },
  { name: "bundle", run: checkBundle },
];

/** Files, exports and dependencies that nothing uses, and exports of the product that only tests use. */
async function findUnused(): Promise<CommandResult> {
  const knip = (...args: string[]) => runCommand(node, ["node_modules/knip/bin/knip.js", "--no-progress", ...args]);
  const results = [await knip(), await knip("--production", "--exclude", "dependencies")];
  return { ok: results.every(({ ok }) => ok), output: results.map(({ output }) => output).join("") };
}

const SUITES = ["unit", "simulations", "db", "worker", "plans", "e2e"];

let passed = 0;
let failed = 0;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => end(1));
process.on("disconnect", () => end(1));

const onlyAt = process.argv.indexOf("--only");
const only = onlyAt === -1 ? null : new Set((process.argv[onlyAt + 1] ?? "").split(","));
for (const check of CHECKS) if (only === null || only.has(check.name)) await runCheck(check.name, check.run);
for (const suite of SUITES) if (only === null || only.has(suite)) await runSuite(suite);
console.log(`${passed} passed, ${failed} failed`);
end(failed === 0 && passed > 0 ? 0 : 1);

function end(code: number): never {
  endCommands();
  process.exit(code);
}

async function runCheck(name: string, run: () => Promise<CommandResult> | CommandResult): Promise<void> {
  const startedAt = Date.now();
  const { ok, output } = await run();
  if (ok) passed++;
  else failed++;
  report(name, ok, startedAt, ok && name === "bundle" ? output.trim() : "");
  if (!ok) console.log(output);
}

async function runSuite(name: string): Promise<void> {
  const startedAt = Date.now();
  const dir = mkdtempSync(join(tmpdir(), "vitest-"));
  const file = join(dir, "result.json");
  try {
    const { ok, output } = await runCommand(node, [
      ...["node_modules/vitest/vitest.mjs", "run", "--config", "test/vitest.config.ts", "--project", name],
      ...["--reporter=default", "--reporter=json", `--outputFile=${file}`],
    ]);
    const result = readResult(file);
    passed += result.numPassedTests;
    // A suite that fails outside its tests counts as at least one failure.
    failed += ok ? result.numFailedTests : Math.max(1, result.numFailedTests);
    report(name, ok, startedAt, `${result.numPassedTests} passed, ${result.numFailedTests} failed`);
    console.log(`     longest: ${listLongestFiles(result, process.cwd()).join(", ")}`);
    if (!ok) console.log([...listFailedTests(result, process.cwd()), withoutPassedTests(output)].join("\n\n"));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The report of a suite; without a readable one, zero tests. */
function readResult(file: string): SuiteResult {
  try {
    return SuiteResult.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, testResults: [] };
  }
}

function report(name: string, ok: boolean, startedAt: number, detail: string): void {
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(`${ok ? "ok  " : "FAIL"} ${name} (${seconds} s)${detail === "" ? "" : `: ${detail}`}`);
}
