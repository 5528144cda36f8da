import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { listProcesses, parsePs, type RunningProcess } from "../../../../scripts/services/running-processes.ts";
import { endLeftBehind, findLeftBehind, noteProcesses, type Noted } from "../../../../scripts/start/left-behind.ts";

const aProcess = (pid: number, facts: Partial<RunningProcess> = {}): RunningProcess => ({
  pid,
  parent: 1,
  group: 20,
  startedAt: `boot ${pid}`,
  command: `command ${pid}`,
  ...facts,
});

/** The start was process 10; it started 20, in a group of its own, which started 21. */
const NOTED: Noted = { owner: aProcess(10, { group: 10 }), started: [aProcess(20, { parent: 10 }), aProcess(21, { parent: 20 })] };

test.for<[string, readonly RunningProcess[], { owner: number | null; remains: number[] }]>([
  ["a start that still runs is no remains", [aProcess(10, { group: 10 }), aProcess(20), aProcess(21)], { owner: 10, remains: [] }],
  ["what a killed start had started", [aProcess(20), aProcess(21, { parent: 20 })], { owner: null, remains: [20, 21] }],
  ["what of it is left", [aProcess(21)], { owner: null, remains: [21] }],
  [
    "the pids are others' by now",
    [aProcess(20, { startedAt: "later" }), aProcess(21, { startedAt: "later" })],
    { owner: null, remains: [] },
  ],
  ["the same second, another command", [aProcess(20, { command: "editor" })], { owner: null, remains: [] }],
  [
    "the start's own pid is another's by now",
    [aProcess(10, { group: 10, startedAt: "later" }), aProcess(21)],
    { owner: null, remains: [21] },
  ],
  [
    "started after it was noted",
    [aProcess(20), aProcess(30, { parent: 20, group: 30 }), aProcess(31, { parent: 30, group: 30 })],
    { owner: null, remains: [20, 30, 31] },
  ],
  ["left by its parent, in the group", [aProcess(20), aProcess(32)], { owner: null, remains: [20, 32] }],
  // Without the group's first member the number may be another group's.
  ["a group whose first member is gone", [aProcess(21), aProcess(32)], { owner: null, remains: [21] }],
  ["others", [aProcess(50, { group: 50 })], { owner: null, remains: [] }],
])("%s", ([, running, expected]) => {
  const { owner, remains } = findLeftBehind(NOTED, running);
  expect({ owner, remains: remains.map(({ pid }) => pid) }).toEqual(expected);
});

test("without a note nothing is recognised", () => {
  expect(findLeftBehind(null, [aProcess(20)])).toEqual({ owner: null, remains: [] });
});

test("lines of ps are read, whatever the width of their columns", () => {
  const text =
    "    1     0     1 Sat Nov  1 09:08:07 2026 /sbin/launchd\n  812   811   810 Sun Nov 22 10:11:12 2026 node main.ts --data /a b\n";
  expect(parsePs(text)).toEqual([
    { pid: 1, parent: 0, group: 1, startedAt: "Sat Nov 1 09:08:07 2026", command: "/sbin/launchd" },
    { pid: 812, parent: 811, group: 810, startedAt: "Sun Nov 22 10:11:12 2026", command: "node main.ts --data /a b" },
  ]);
});

test("this process is found among those that run, with its parent and a start that stays", () => {
  const find = () => listProcesses().find(({ pid }) => pid === process.pid);
  expect(find()).toMatchObject({ parent: process.ppid, command: expect.stringContaining("node") });
  expect(find()).toEqual(find());
});

/** A process in a group of its own with a child that does not listen to SIGTERM, and a note of both by a start that is gone. */
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
  noteProcesses(dataDir, [pid]);
  const file = join(dataDir, "processes.json");
  const noted: Noted = JSON.parse(readFileSync(file, "utf8"));
  const save = (facts: Partial<Noted>) => writeFileSync(file, JSON.stringify({ ...noted, ...facts }));
  save({ owner: { ...noted.owner, startedAt: "an earlier boot" } });
  return { dataDir, noted, save, group: () => listProcesses().filter(({ group }) => group === pid) };
}

test("what a killed start has left behind is ended, also what does not listen", { timeout: 20_000 }, async () => {
  const { dataDir, group } = await aKilledStart();
  const lines: string[] = [];
  expect(group()).toHaveLength(2);
  expect(await endLeftBehind(dataDir, (line) => lines.push(line))).toBeNull();
  expect(group()).toEqual([]);
  expect(lines).toEqual(["An earlier start was killed and left 2 processes behind; they are ended."]);
});

test("a start that runs is named, and nothing of it is ended", async () => {
  const { dataDir, noted, save, group } = await aKilledStart();
  save({ owner: noted.owner });
  expect(await endLeftBehind(dataDir, () => undefined)).toBe(process.pid);
  expect(group()).toHaveLength(2);
});

test("processes that only have the noted pids are left alone", async () => {
  const { dataDir, noted, save, group } = await aKilledStart();
  const earlier = { startedAt: "an earlier boot" };
  save({ owner: { ...noted.owner, ...earlier }, started: noted.started.map((one) => ({ ...one, ...earlier })) });
  expect(await endLeftBehind(dataDir, () => undefined)).toBeNull();
  expect(group()).toHaveLength(2);
});

test("a note that was cut off while it was written notes nothing", async () => {
  const { dataDir, group } = await aKilledStart();
  writeFileSync(join(dataDir, "processes.json"), '{"owner": {"pid"');
  expect(await endLeftBehind(dataDir, () => undefined)).toBeNull();
  expect(group()).toHaveLength(2);
});
