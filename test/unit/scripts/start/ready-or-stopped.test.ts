import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../../../../scripts/services/free-port.ts";
import { startChild, stopChild } from "../../../../scripts/start/child.ts";
import { readyOrStopped } from "../../../../scripts/start/ready-or-stopped.ts";

/** A process that runs `code`, and the log that it would have written. */
async function startProcess(code: string) {
  const directory = mkdtempSync(join(tmpdir(), "ready-or-stopped-"));
  const logFile = join(directory, "worker.log");
  writeFileSync(logFile, Array.from({ length: 30 }, (_, n) => `line ${n}\n`).join(""));
  const port = await freePort();
  const child = startChild(process.execPath, ["-e", code, String(port)], { env: process.env, stdio: "ignore" });
  onTestFinished(async () => {
    await stopChild(child);
    rmSync(directory, { recursive: true });
  });
  return { child, url: `http://127.0.0.1:${port}/`, logFile };
}

test("a process is ready with its first success", async () => {
  const { child, url, logFile } = await startProcess(
    `require("node:http").createServer((_, response) => response.end()).listen(Number(process.argv[1]))`,
  );
  await readyOrStopped(child, { url, logFile, withinMs: 20_000 });
  expect(child.exitCode).toBeNull();
});

test.for([
  ["does not serve in time", "setInterval(() => undefined, 1_000)", 500],
  [
    "serves only errors",
    `require("node:http").createServer((_, r) => { r.statusCode = 500; r.end(); }).listen(Number(process.argv[1]))`,
    1_500,
  ],
  ["ends by itself", "process.exit(3)", 20_000],
] as const)("a process that %s is stopped, and the error has the end of its log", async ([, code, withinMs]) => {
  const { child, url, logFile } = await startProcess(code);
  const error = await readyOrStopped(child, { url, logFile, withinMs }).catch((cause: Error) => cause.message);
  expect(error).toMatch(/^The Worker did not start\. The end of .*worker\.log:\nline 10\n(.*\n)*line 29$/);
  expect(child.exitCode ?? child.signalCode).not.toBeNull();
});
