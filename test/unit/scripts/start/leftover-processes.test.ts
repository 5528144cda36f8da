import { expect, test } from "vitest";
import { listProcesses, parsePs, type RunningProcess } from "../../../../scripts/services/running-processes.ts";
import { findLeftoverProcesses, type RecordedProcesses } from "../../../../scripts/start/leftover-processes.ts";

const aProcess = (pid: number, facts: Partial<RunningProcess> = {}): RunningProcess => ({
  pid,
  parent: 1,
  group: 20,
  startedAt: `boot ${pid}`,
  command: `command ${pid}`,
  ...facts,
});

/** The start was process 10; it started 20, in its own process group, which started 21. */
const NOTED: RecordedProcesses = {
  owner: aProcess(10, { group: 10 }),
  started: [aProcess(20, { parent: 10 }), aProcess(21, { parent: 20 })],
};

test.for<[string, readonly RunningProcess[], { owner: number | null; remains: number[] }]>([
  [
    "a start that still runs leaves nothing behind",
    [aProcess(10, { group: 10 }), aProcess(20), aProcess(21)],
    { owner: 10, remains: [] },
  ],
  [
    "a killed start leaves its started processes behind",
    [aProcess(20), aProcess(21, { parent: 20 })],
    { owner: null, remains: [20, 21] },
  ],
  ["a killed start leaves the processes behind that still run", [aProcess(21)], { owner: null, remains: [21] }],
  [
    "process ids reused by later processes are ignored",
    [aProcess(20, { startedAt: "later" }), aProcess(21, { startedAt: "later" })],
    { owner: null, remains: [] },
  ],
  [
    "a process of the same second with another command is ignored",
    [aProcess(20, { command: "editor" })],
    { owner: null, remains: [] },
  ],
  [
    "a reused process id of the start itself is not its owner",
    [aProcess(10, { group: 10, startedAt: "later" }), aProcess(21)],
    { owner: null, remains: [21] },
  ],
  [
    "processes started after the note are found through their parents",
    [aProcess(20), aProcess(30, { parent: 20, group: 30 }), aProcess(31, { parent: 30, group: 30 })],
    { owner: null, remains: [20, 30, 31] },
  ],
  ["an orphaned process is found through its group", [aProcess(20), aProcess(32)], { owner: null, remains: [20, 32] }],
  // If the group's first member is gone, the number may belong to another group.
  ["a group without its first member is not searched", [aProcess(21), aProcess(32)], { owner: null, remains: [21] }],
  ["unrelated processes are ignored", [aProcess(50, { group: 50 })], { owner: null, remains: [] }],
])("%s", ([, running, expected]) => {
  const { owner, remains } = findLeftoverProcesses(NOTED, running);
  expect({ owner, remains: remains.map(({ pid }) => pid) }).toEqual(expected);
});

test("no process is recognised without a note", () => {
  expect(findLeftoverProcesses(null, [aProcess(20)])).toEqual({ owner: null, remains: [] });
});

test("the output of ps is parsed for any width of its columns", () => {
  const text =
    "    1     0     1 Sat Nov  1 09:08:07 2026 /sbin/launchd\n  812   811   810 Sun Nov 22 10:11:12 2026 node main.ts --data /a b\n";
  expect(parsePs(text)).toEqual([
    { pid: 1, parent: 0, group: 1, startedAt: "Sat Nov 1 09:08:07 2026", command: "/sbin/launchd" },
    { pid: 812, parent: 811, group: 810, startedAt: "Sun Nov 22 10:11:12 2026", command: "node main.ts --data /a b" },
  ]);
});

test("this process is listed with its parent and a stable start time", () => {
  const find = () => listProcesses().find(({ pid }) => pid === process.pid);
  expect(find()).toMatchObject({ parent: process.ppid, command: expect.stringContaining("node") });
  expect(find()).toEqual(find());
});
