import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";

const Checks = z.array(
  z.looseObject({
    id: z.string(),
    status: z.string(),
    errorMessage: z.string().optional(),
    details: z.looseObject({ untestable: z.boolean().optional() }).optional(),
  }),
);

export interface ConformanceResult {
  /** The checks that passed. */
  readonly passed: readonly string[];
  /** The checks that failed or warned, with their messages. */
  readonly problems: readonly string[];
  /** The checks that the suite itself marks as not testable, because they need a tool of its own. */
  readonly untestable: readonly string[];
}

const CLI = new URL("../../../node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url).pathname;

/** The scenarios of the suite for servers, each with one revision. Extensions are left out. */
export function listScenarios(): [string, string][] {
  const listed = execFileSync(process.execPath, [CLI, "list", "--server"], { encoding: "utf8" });
  return [...listed.matchAll(/^ {2}- (\S+) \[(\d{4}-.*)\]$/gm)].flatMap(([, scenario = "", revisions = ""]) =>
    revisions.split(",").map((revision): [string, string] => [scenario, revision]),
  );
}

/** Runs one scenario of the official suite at one revision against an endpoint. */
export async function runConformance(url: string, scenario: string, revision: string): Promise<ConformanceResult> {
  const dir = await mkdtemp(join(tmpdir(), "conformance-"));
  try {
    const child = spawn(
      process.execPath,
      [CLI, "server", "--url", url, "--scenario", scenario, "--spec-version", revision, "--output-dir", dir],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += String(chunk)));
    await once(child, "close");
    const files = await readdir(dir, { recursive: true });
    const file = files.find((name) => name.endsWith("checks.json"));
    if (file === undefined) throw new Error(`${scenario} at ${revision} wrote no checks:\n${output}`);
    const checks = Checks.parse(JSON.parse(await readFile(join(dir, file), "utf8")));
    const bad = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
    return {
      passed: checks.filter(({ status }) => status === "SUCCESS").map(({ id }) => id),
      problems: bad
        .filter(({ details }) => details?.untestable !== true)
        .map(({ id, errorMessage }) => `${id}: ${errorMessage}`),
      untestable: bad.filter(({ details }) => details?.untestable === true).map(({ id }) => id),
    };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
