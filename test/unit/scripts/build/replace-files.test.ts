import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTick } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { replaceFiles } from "../../../../scripts/build/replace-files.ts";

const root = new URL("../../../../", import.meta.url).pathname;
const LENGTH = 200_000;

/** A process that replaces a file 300 times with this letter. */
function startWriter(path: string, letter: string) {
  const script = `
    import { replaceFiles } from "./scripts/build/replace-files.ts";
    for (let written = 0; written < 300; written++) replaceFiles([[${JSON.stringify(path)}, "${letter}".repeat(${LENGTH})]]);
  `;
  return spawn(process.execPath, ["--input-type=module", "--eval", script], { cwd: root });
}

test("a file that two processes replace is whole at every moment, and no staged file is left behind", async () => {
  const dir = mkdtempSync(join(tmpdir(), "replace-files-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const path = join(dir, "below", "file");
  replaceFiles([[path, "a".repeat(LENGTH)]]);
  const writers = ["a", "b"].map((letter) => startWriter(path, letter));
  const ended = Promise.all(writers.map((writer) => once(writer, "exit")));
  let reads = 0;
  while (writers.some(({ exitCode }) => exitCode === null)) {
    const text = readFileSync(path, "utf8");
    expect([text.length, new Set(text).size]).toEqual([LENGTH, 1]);
    reads++;
    await nextTick();
  }
  expect((await ended).map(([code]) => code)).toEqual([0, 0]);
  expect(reads).toBeGreaterThan(10);
  expect(readdirSync(join(root, "dist")).filter((name) => name.startsWith("staging-"))).toEqual([]);
});
