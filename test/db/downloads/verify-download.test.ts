import { generateKeyPairSync, sign } from "node:crypto";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import type { ExportFormat } from "../../../src/domain/exports/export-job.ts";
import { TEST_PUBLIC_KEY } from "../../support/archive/signing-key.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database/database.ts";
import { aReadyFile, type ReadyFile } from "../../support/exports/ready-file.ts";
import { verifyDownload } from "../../support/exports/verify-download.ts";
import { aFill } from "../../support/seed/fills.ts";
import { aPublishedLargeTrade, passHorizon } from "../../support/seed/large-trades.ts";
import { aMarket } from "../../support/seed/markets.ts";
import { aSeededTrader } from "../../support/seed/traders/traders.ts";

const ROWS = 17;
const KINDS = ["dataset ndjson", "export json", "export ndjson", "export csv"] as const;
type Kind = (typeof KINDS)[number];

let database: TestDatabase;
const files = new Map<Kind, ReadyFile>();

beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  const trader = await aSeededTrader(db);
  // Line breaks within a cell, a line separator that JSON does not escape, quotes, and no title at all.
  const titles = ['one,\r\n"two"\n=3', "a\u2028b\u0085c", null];
  const markets = await Promise.all(titles.map((title) => aMarket(db, { title })));
  for (let n = 0; n < ROWS; n += 1) {
    const market = markets[n % markets.length] ?? (await aMarket(db));
    const at = new Date(Date.parse("2026-11-20T00:00:00Z") + n * 500);
    await aPublishedLargeTrade(db, { market, trader: await aSeededTrader(db), tradedAt: at });
    await aFill(db, { trader, market, at: at.toISOString(), isTaker: n % 2 === 0 });
  }
  await passHorizon(db);
  for (const kind of KINDS) {
    const [what, format] = kind.split(" ") as [string, ExportFormat];
    files.set(kind, await aReadyFile(database, { traderId: what === "dataset" ? null : trader.id, format }));
  }
});

function fileOf(kind: Kind): ReadyFile {
  const file = files.get(kind);
  if (file === undefined) throw new Error(`there is no file of ${kind}`);
  return file;
}

const textOf = ({ content }: ReadyFile) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);

/** The rows of a content with their ends, and what is before and behind them. */
function splitRows(kind: Kind, text: string): { head: string; rows: string[]; tail: string } {
  // Each row of a CSV file begins with its id.
  const starts = kind === "export csv" ? /(?=pe_\d+,2026)/ : /(?=^\{"id")/m;
  const [first = "", ...rest] = text.split(starts);
  const [head, rows] = kind === "dataset ndjson" ? ["", [first, ...rest]] : [first, rest];
  if (kind !== "export json") return { head, rows, tail: "" };
  return { head, rows: rows.map((row) => row.replace(/,?\n(\]\}\n)?$/, "")), tail: "\n]}\n" };
}

const joinRows = (kind: Kind, { head, rows, tail }: ReturnType<typeof splitRows>) =>
  `${head}${rows.join(kind === "export json" ? ",\n" : "")}${tail}`;

const KEY = ["--key", TEST_PUBLIC_KEY];

describe.for(KINDS)("a download of a %s", (kind) => {
  test("passes as it is stored", async () => {
    const { status, bytes } = fileOf(kind);
    expect(await verifyDownload({ bytes, status, args: KEY })).toEqual({
      code: 0,
      text: `OK  ${ROWS} rows of job ${status.data.job_id}, ${kind.split(" ")[1]}; checked: signature, stored bytes, rows`,
    });
  });

  test("passes after decompression, and says that the stored bytes were not checked", async () => {
    const { status, content } = fileOf(kind);
    expect(await verifyDownload({ bytes: content, status, args: KEY })).toEqual({
      code: 0,
      text: expect.stringMatching(/checked: signature, content, not the stored bytes, rows$/),
    });
  });

  test("the test splits its rows and joins them again", () => {
    const text = textOf(fileOf(kind));
    expect(splitRows(kind, text).rows).toHaveLength(ROWS);
    expect(joinRows(kind, splitRows(kind, text))).toBe(text);
  });

  const CHANGES: Readonly<Record<string, [change: (rows: string[]) => string[], problem: RegExp]>> = {
    "a removed row": [
      (rows) => rows.toSpliced(5, 1),
      new RegExp(`^FAILED {2}the number of rows is ${ROWS - 1}, the signed manifest says ${ROWS}$`, "m"),
    ],
    "a removed last row": [
      (rows) => rows.slice(0, -1),
      new RegExp(`^FAILED {2}the number of rows is ${ROWS - 1}, the signed manifest says ${ROWS}$`, "m"),
    ],
    "a repeated row": [
      (rows) => rows.toSpliced(5, 0, rows[5] ?? ""),
      new RegExp(`^FAILED {2}the number of rows is ${ROWS + 1}, the signed manifest says ${ROWS}$`, "m"),
    ],
    "two swapped rows": [
      (rows) => rows.with(3, rows[9] ?? "").with(9, rows[3] ?? ""),
      /^FAILED {2}the Merkle root of the rows is [0-9a-f]{64}, the signed manifest says [0-9a-f]{64}$/m,
    ],
    "a changed digit": [
      (rows) => rows.with(7, (rows[7] ?? "").replace("0.5", "0.6")),
      /^FAILED {2}the Merkle root of the rows is [0-9a-f]{64}, the signed manifest says [0-9a-f]{64}$/m,
    ],
  };

  test.for(Object.keys(CHANGES))("with %s fails, compressed or not", async (name) => {
    const [change, problem] = CHANGES[name] ?? [(rows: string[]) => rows, /^$/];
    const parts = splitRows(kind, textOf(fileOf(kind)));
    const text = joinRows(kind, { ...parts, rows: change(parts.rows) });
    expect(text).not.toBe(textOf(fileOf(kind)));
    const { status } = fileOf(kind);
    for (const bytes of [gzipSync(text), text]) {
      const { code, text: printed } = await verifyDownload({ bytes, status, args: KEY });
      expect(code).toBe(1);
      expect(printed).toMatch(problem);
      expect(printed).toMatch(/^FAILED {2}the SHA-256 of the content is/m);
    }
  });

  test("with one changed byte at any of several places fails", async () => {
    const { bytes, content, status } = fileOf(kind);
    for (const whole of [bytes, content])
      for (const at of [0, 3, Math.floor(whole.length / 2), whole.length - 1]) {
        const changed = whole.with(at, (whole[at] ?? 0) ^ 1);
        const { code, text } = await verifyDownload({ bytes: changed, status, args: KEY });
        expect([code, text]).toEqual([1, expect.stringMatching(/^FAILED {2}/)]);
      }
  });

  test("that was cut fails", async () => {
    const { bytes, content, status } = fileOf(kind);
    for (const cut of [bytes.slice(0, -1), bytes.slice(0, 40), content.slice(0, -1), content.slice(0, 0)]) {
      const { code, text } = await verifyDownload({ bytes: cut, status, args: KEY });
      expect([code, text]).toEqual([1, expect.stringMatching(/^FAILED {2}/)]);
    }
  });
});

describe("the manifest", () => {
  /** Changes a copy of the status. */
  async function withStatus(change: (data: any) => void, args: readonly string[] = KEY) {
    const { status, bytes } = fileOf("export ndjson");
    const changed = structuredClone(status);
    change(changed.data);
    return verifyDownload({ bytes, status: changed, args });
  }

  test.for<[name: string, change: (data: any) => void, problem: string]>([
    [
      "a shown value",
      ({ artifact }) => (artifact.manifest.row_count -= 1),
      `the status says row_count ${ROWS - 1}, the signed manifest says ${ROWS}`,
    ],
    [
      "a shown generation",
      ({ artifact }) => (artifact.manifest.generation.id = "other"),
      "the status says generation.id other, the signed manifest says ",
    ],
    ["the number of the job", (data) => (data.job_id += 1), "the status is of job "],
    [
      "the signed text",
      ({ artifact: { proof } }) => (proof.manifest = proof.manifest.replace(`"row_count":${ROWS}`, '"row_count":1')),
      "has a wrong signature",
    ],
    [
      "the signature",
      ({ artifact: { proof } }) =>
        (proof.signature = proof.signature.replace(/^../, (hex: string) => (hex === "00" ? "01" : "00"))),
      "has a wrong signature",
    ],
    [
      "the proof",
      ({ artifact }) => Object.assign(artifact, { proof: null, proof_unavailable_reason: "no_signing_key" }),
      "the file has no signed manifest: no_signing_key",
    ],
    [
      "the file",
      (data) => Object.assign(data, { status: "expired", artifact: undefined }),
      "the job has no file: its status is expired",
    ],
  ])("fails with a change of %s", async ([, change, problem]) => {
    const { code, text } = await withStatus(change);
    expect([code, text]).toEqual([1, expect.stringContaining(problem)]);
    expect(text).toMatch(/^FAILED {2}/);
  });

  test("fails with another key, also when the manifest was signed with it", async () => {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const other = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url").toString("hex");
    const wrong = await withStatus(() => undefined, ["--key", other]);
    expect([wrong.code, wrong.text]).toEqual([1, expect.stringContaining("not by the key that you trust")]);
    const resign = ({ artifact: { proof } }: any) =>
      Object.assign(proof, {
        public_key: other,
        signature: sign(null, Buffer.from(proof.manifest), privateKey).toString("hex"),
      });
    const forged = await withStatus(resign);
    expect([forged.code, forged.text]).toEqual([1, expect.stringContaining("not by the key that you trust")]);
    const unchecked = await withStatus(resign, []);
    expect([unchecked.code, unchecked.text]).toEqual([0, expect.stringContaining(`Signed by ${other}`)]);
  });
});

describe("a file without rows", () => {
  test.for<[what: string, format: ExportFormat]>([
    ["dataset", "ndjson"],
    ["export", "json"],
    ["export", "ndjson"],
    ["export", "csv"],
  ])("passes as %s %s, and fails with a row", async ([what, format]) => {
    const idle = await aSeededTrader(database.db);
    const { status, bytes, content } = await aReadyFile(database, {
      ...{ traderId: what === "dataset" ? null : idle.id, format, minSizeCents: 99_999_999_999 },
    });
    expect((await verifyDownload({ bytes, status, args: KEY })).text).toContain("OK  0 rows");
    expect((await verifyDownload({ bytes: content, status, args: KEY })).text).toContain("OK  0 rows");
    const kind = `${what} ${format}` as Kind;
    const added = joinRows(kind, {
      ...splitRows(kind, textOf(fileOf(kind))),
      rows: splitRows(kind, textOf(fileOf(kind))).rows.slice(0, 1),
    });
    const { code, text } = await verifyDownload({ bytes: gzipSync(added), status, args: KEY });
    expect([code, text]).toEqual([1, expect.stringContaining("the number of rows is 1, the signed manifest says 0")]);
  });
});

test("a file that was written without a signing key fails with the reason", async () => {
  const { status, bytes } = await aReadyFile(database, { traderId: null, format: "ndjson" }, null);
  expect(await verifyDownload({ bytes, status })).toEqual({
    ...{ code: 1, text: "FAILED  the file has no signed manifest: no_signing_key" },
  });
});
