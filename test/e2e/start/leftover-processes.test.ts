import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { listProcesses } from "../../../scripts/services/running-processes.ts";
import {
  endLeftoverProcesses,
  recordProcesses,
  type RecordedProcesses,
} from "../../../scripts/start/leftover-processes.ts";

/**
 * A process in its own group with a child that ignores SIGTERM, and a note of both by a start that is gone.
 */
async function aKilledStart() {
  const dataDir = mkdtempSync(join(tmpdir(), "left-behind-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const script = `require("node:child_process").spawn(process.execPath, ["-e", "process.on('SIGTERM', () => 0); setInterval(() => 0, 1e3); console.log('up')"], { stdio: "inherit" }); setInterval(() => 0, 1e3);`;
  const child = spawn(process.execPath, ["-e", script], { detached: true, stdio: ["ignore", "pipe", "ignore"] });
  const { pid } = child;
  if (pid === undefined) throw new Error("nothing was started");
  onTestFinished(() => {
    for (const { pid: member } of listProcesses().filter(({ group }) => group === pid)) process.kill(member, "SIGKILL");
  });
  await once(child.stdout, "data");
  recordProcesses(dataDir, [pid]);
  const file = join(dataDir, "processes.json");
  const noted: RecordedProcesses = JSON.parse(readFileSync(file, "utf8"));
  const save = (facts: Partial<RecordedProcesses>) => writeFileSync(file, JSON.stringify({ ...noted, ...facts }));
  save({ owner: { ...noted.owner, startedAt: "an earlier boot" } });
  return { dataDir, noted, save, group: () => listProcesses().filter(({ group }) => group === pid) };
}

test("the processes of a killed start are ended, even those that ignore SIGTERM", async () => {
  const { dataDir, group } = await aKilledStart();
  const lines: string[] = [];
  expect(group()).toHaveLength(2);
  expect(await endLeftoverProcesses(dataDir, (line) => lines.push(line))).toBeNull();
  expect(group()).toEqual([]);
  expect(lines).toEqual(["An earlier start was killed and left 2 processes behind; they are ended."]);
});

test("a running start is returned, and none of its processes is ended", async () => {
  const { dataDir, noted, save, group } = await aKilledStart();
  save({ owner: noted.owner });
  expect(await endLeftoverProcesses(dataDir, () => undefined)).toBe(process.pid);
  expect(group()).toHaveLength(2);
});

test("processes that only share the noted process ids are not ended", async () => {
  const { dataDir, noted, save, group } = await aKilledStart();
  const earlier = { startedAt: "an earlier boot" };
  save({ owner: { ...noted.owner, ...earlier }, started: noted.started.map((one) => ({ ...one, ...earlier })) });
  expect(await endLeftoverProcesses(dataDir, () => undefined)).toBeNull();
  expect(group()).toHaveLength(2);
});

test("a truncated note is ignored", async () => {
  const { dataDir, group } = await aKilledStart();
  writeFileSync(join(dataDir, "processes.json"), '{"owner": {"pid"');
  expect(await endLeftoverProcesses(dataDir, () => undefined)).toBeNull();
  expect(group()).toHaveLength(2);
});
