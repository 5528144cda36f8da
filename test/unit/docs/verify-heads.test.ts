import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { headOf, manifestText, type DayManifest } from "../../../src/domain/proofs/day-manifest.ts";
import { fromHex, toHex } from "../../../src/domain/proofs/hex.ts";
import { EMPTY_ROOT, rootOf } from "../../../src/domain/proofs/merkle-tree.ts";
import { openSigner } from "../../../src/domain/proofs/signing.ts";
import { TEST_PUBLIC_KEY, TEST_SIGNING_KEY } from "../../support/archive/signing-key.ts";

const VERIFY = new URL("../../../docs/verify.mjs", import.meta.url).pathname;

const place = (id: number) => ({ commit_xid: "700", id: String(id) });
const FILE = { key: "k", rows: 10, bytes: 1, sha256: "ab".repeat(32), writer: "w" };

/** Three days of ten fills and five events each, before they are signed. */
const days = (): DayManifest[] =>
  [0, 1, 2].map((n) => ({
    ...{ type: "archive_day" as const, version: 1 as const, day: `2026-11-2${n}`, sequence: n },
    ...{ previous_head: null, log_root: toHex(EMPTY_ROOT) },
    datasets: [
      {
        ...{ name: "fills" as const, rows: 10, first_row: n * 10 + 1, last_row: n * 10 + 10 },
        ...{ merkle_root: "cd".repeat(32), files: [FILE] },
      },
    ],
    outbox: {
      ...{ epoch: 1, after: place(n * 5), last: place(n * 5 + 5), events: 5, gap: null },
      ...{ first_sequence: n * 5 + 1, last_sequence: n * 5 + 5 },
    },
  }));

/** Chains and signs the days, and runs verify.mjs over them. */
async function verify(manifests: readonly DayManifest[]): Promise<string> {
  const signer = await openSigner(TEST_SIGNING_KEY);
  const heads: string[] = [];
  const data = [];
  for (const manifest of manifests) {
    const log_root = toHex(rootOf(heads.map(fromHex)));
    const text = manifestText({ ...manifest, previous_head: heads.at(-1) ?? null, log_root });
    heads.push(headOf(text));
    data.push({ manifest: text, head: headOf(text), signature: await signer.sign(text), public_key: signer.publicKey });
  }
  const dir = mkdtempSync(join(tmpdir(), "heads-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  writeFileSync(join(dir, "heads.json"), JSON.stringify({ data }));
  return promisify(execFile)(process.execPath, [
    VERIFY,
    "heads",
    join(dir, "heads.json"),
    "--key",
    TEST_PUBLIC_KEY,
  ]).then(
    ({ stdout }) => stdout.trim(),
    ({ stderr }: { stderr: string }) => stderr.trim(),
  );
}

test("heads of consecutive days, rows and events pass", async () => {
  expect(await verify(days())).toBe(
    "OK  3 heads, 2026-11-20 to 2026-11-22, from the first day on; events 1 to 15; no number is missing",
  );
});

/** Changes of the last of three days, each of which its signer may have made. */
const OMISSIONS: Readonly<Record<string, [change: (day: DayManifest) => DayManifest, problem: string]>> = {
  "a row": [
    (day) => ({ ...day, datasets: day.datasets.map((own) => ({ ...own, first_row: 22, last_row: 31 })) }),
    "rows of fills are missing between 2026-11-21 and 2026-11-22: 21 to 21",
  ],
  "a row of a file": [
    (day) => ({ ...day, datasets: day.datasets.map((own) => ({ ...own, files: [{ ...FILE, rows: 9 }] })) }),
    "2026-11-22: the files of fills have 9 of 10 rows",
  ],
  "a number within the day": [
    (day) => ({ ...day, datasets: day.datasets.map((own) => ({ ...own, last_row: 31 })) }),
    "2026-11-22: the row numbers of fills do not match its rows",
  ],
  "an event number": [
    (day) => ({ ...day, outbox: { ...day.outbox, first_sequence: 12, last_sequence: 16 } }),
    "event numbers are missing between 2026-11-21 and 2026-11-22",
  ],
  "an event between two ranges": [
    (day) => ({ ...day, outbox: { ...day.outbox, after: place(11) } }),
    "events are missing between 2026-11-21 and 2026-11-22",
  ],
  "events that were deleted": [
    (day) => ({ ...day, outbox: { ...day.outbox, gap: "events_deleted" } }),
    "events are missing between 2026-11-21 and 2026-11-22: events_deleted",
  ],
  "a day": [(day) => ({ ...day, day: "2026-11-23" }), "a day is missing between 2026-11-21 and 2026-11-23"],
};

test.for(Object.keys(OMISSIONS))("a signed chain that leaves out %s fails", async (name) => {
  const [change, problem] = OMISSIONS[name] ?? [(day: DayManifest) => day, ""];
  expect(await verify(days().map((day, n) => (n === 2 ? change(day) : day)))).toBe(`FAILED  ${problem}`);
});

test("a chain that forgets an earlier head fails", async () => {
  const [first, second, third] = days();
  if (first === undefined || second === undefined || third === undefined) throw new Error("three days");
  expect(await verify([second, third])).toMatch(/^OK {2}2 heads, .* from head 1 on/);
  expect(await verify([first, { ...third, sequence: 1 }])).toBe(
    "FAILED  a day is missing between 2026-11-20 and 2026-11-22",
  );
});
