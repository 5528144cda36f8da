import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readFigures } from "../stream/process-figures.ts";
import { generateArchive } from "./generate-archive.ts";

const SAMPLE_EVERY_MS = 500;
/** One trader and one market for as many fills. */
const FILLS_EACH = 100;

/** Runs `npm run study` over a generated archive and prints the most memory that it took (Linux). */
export async function benchStudy(fills: number): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "bench-study-"));
  try {
    const each = Math.ceil(fills / FILLS_EACH);
    await generateArchive(directory, { fills, traders: each, markets: each });
    console.log(`study: ${fills} generated fills of ${each} traders in ${each} markets are written`);
    const { peakBytes, cpuSeconds, report } = await runStudy(directory);
    console.log(report);
    console.log(`study: at most ${Math.round(peakBytes / 1e6)} MB resident, ${Math.round(cpuSeconds)} s of CPU`);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** @throws Error when the study fails */
async function runStudy(
  directory: string,
): Promise<{ readonly peakBytes: number; readonly cpuSeconds: number; readonly report: string }> {
  // As `npm run study` starts it.
  const study = spawn(process.execPath, [...process.execArgv, "--expose-gc", "scripts/study/main.ts", directory], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let report = "";
  study.stdout.setEncoding("utf8").on("data", (text: string) => (report += text));
  let figures = { peakBytes: 0, cpuSeconds: 0 };
  const ended = new Promise<number | null>((resolve) => study.once("close", resolve));
  while (study.exitCode === null && study.signalCode === null && study.pid !== undefined) {
    figures = readPeak(study.pid) ?? figures;
    await Promise.race([ended, sleep(SAMPLE_EVERY_MS)]);
  }
  const code = await ended;
  if (code !== 0) throw new Error(`the study ended with code ${code}`);
  // Without /proc nothing was measured, which must not print as zero.
  if (figures.peakBytes === 0)
    throw new Error("the memory of the study could not be read: this part runs on Linux only");
  return { ...figures, report };
}

/** Linux keeps the peak until the process ends. Null once it has: its files may be gone between two reads. */
function readPeak(pid: number): { readonly peakBytes: number; readonly cpuSeconds: number } | null {
  try {
    const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return peak === undefined ? null : { peakBytes: Number(peak) * 1_024, cpuSeconds: readFigures(pid).cpuSeconds };
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ESRCH")) return null;
    throw error;
  }
}
