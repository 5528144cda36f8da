import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const SOURCE = new URL("../../../src/client/", import.meta.url).pathname;

export interface ClientExample {
  /** The code of the document. */
  readonly code: string;
  /** Declarations of what the code takes from the program around it. */
  readonly before: string;
  /** What reports the outcome, on stdout. */
  readonly after: string;
  readonly baseUrl: string;
  readonly key: string;
}

/**
 * Runs an example of the client's document against an API, as a program of its own.
 *
 * @returns what it printed
 * @throws with its output when it fails
 */
export async function runClientExample({ code, before, after, baseUrl, key }: ClientExample): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), "client-example-"));
  try {
    const program = [
      `import * as api from ${JSON.stringify(`${SOURCE}index.ts`)};`,
      `import { verifyFile } from ${JSON.stringify(`${SOURCE}verify.ts`)};`,
      before,
      code
        .replaceAll(/import \{([^}]*)\} from "prediction-market-activity-client";/g, "const {$1} = api;")
        .replaceAll("https://api.example.com", baseUrl),
      after,
    ].join("\n");
    const file = join(dir, "example.ts");
    writeFileSync(file, program);
    const { stdout } = await promisify(execFile)(process.execPath, ["--disable-warning=ExperimentalWarning", file], {
      env: { PATH: process.env["PATH"], KEY: key },
      timeout: 120_000,
    });
    return stdout;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
