import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CodeBlock } from "./list-code-blocks.ts";

export interface BlockRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const LONGEST_MS = 30_000;
/** curl: the time that the command allows itself is over. */
const TIMED_OUT = 28;

/** Runs a code block as a reader would: in a directory of its own, with the key in KEY. */
export async function runBlock({ language, text }: CodeBlock, directory: string, key: string): Promise<BlockRun> {
  const [program, ...args] = commandOf(language, text, directory);
  const child = spawn(program, args, {
    cwd: directory,
    env: { PATH: process.env["PATH"], HOME: directory, KEY: key },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: LONGEST_MS,
  });
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output.stderr += chunk.toString()));
  const [exitCode] = (await once(child, "close")) as [number | null];
  const isDone = exitCode === TIMED_OUT && text.includes("--max-time");
  return { exitCode: isDone ? 0 : exitCode, ...output };
}

function commandOf(language: string, text: string, directory: string): [string, ...string[]] {
  if (language === "sh") return ["sh", "-e", "-c", text];
  const file = join(directory, language === "js" ? "first.mjs" : "first.py");
  writeFileSync(file, text);
  return [language === "js" ? process.execPath : "python3", file];
}
