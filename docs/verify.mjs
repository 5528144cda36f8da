#!/usr/bin/env node
/*
 * Checks the archive and the files of datasets and exports without anything of their publisher but its public
 * key. One file, Node 20 or newer, no packages. docs/archive.md and docs/files.md specify the formats.
 */
import { createHash, createPublicKey, verify } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";

const USAGE = `node verify.mjs COMMAND ... [--key PUBLIC_KEY]

  heads HEADS...                  signatures, the chain of heads, and that no day, row number or event number is missing
  file FILE HEAD                  a downloaded file is the one that a signed manifest names
  rows DATASET NDJSON HEAD        the rows of a dataset's day, one JSON object a line, have the signed Merkle root
  row PROOF                       a row is in the signed archive of its day
  pick ENTRY PROOF                a pick's opened commitment matches, and was archived before its kickoff was over
  download FILE STATUS [ROWS]     a downloaded dataset or export, stored or decompressed, is the one that was signed

HEADS, HEAD, PROOF and ENTRY are files or URLs: responses of /api/v1/proofs/heads, /api/v1/proofs/rows/{id} and
/api/v1/pick-of-the-day/ledger/{pick_id}, or manifest files of the archive. A HEAD with several heads is searched.
STATUS is the response of the job's status. ROWS are the rows of a Parquet file, one JSON object a line; without them
its rows are not read.
PUBLIC_KEY is the key that you trust, 64 hex digits; without it the key of the data is used, and printed.
Exit code 1: a check failed. 2: wrong arguments.`;

const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);
const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();
const hashNode = (left, right) => sha256(NODE, left, right);
const hex = (bytes) => bytes.toString("hex");
const DAY_MS = 86_400_000;

class Failed extends Error {}
class Usage extends Error {}

function check(isTrue, problem) {
  if (!isTrue) throw new Failed(problem);
}

// Input

async function readJson(from) {
  if (!/^https?:/.test(from)) return parse(await readFile(from, "utf8"), from);
  const response = await fetch(from);
  check(response.ok, `${from} responded ${response.status}`);
  return parse(await response.text(), from);
}

function parse(text, what) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Failed(`${what} is not JSON: ${text.slice(0, 200)}`);
  }
}

/** All pages of a list. */
async function readPages(from) {
  const pages = [await readJson(from)];
  for (let { next_cursor: cursor } = pages[0]; cursor && /^https?:/.test(from); cursor = pages.at(-1).next_cursor) {
    const url = new URL(from);
    url.searchParams.set("cursor", cursor);
    pages.push(await readJson(url.href));
  }
  return pages;
}

/** Every object with a manifest inside a JSON value. */
function findHeads(value) {
  if (Array.isArray(value)) return value.flatMap(findHeads);
  if (typeof value !== "object" || value === null) return [];
  return typeof value.manifest === "string" ? [value] : Object.values(value).flatMap(findHeads);
}

/** JSON with sorted keys and without spaces; the values of rows and payloads are flat. */
function canonicalJson(row) {
  const keys = Object.keys(row).sort((a, b) => (a < b ? -1 : 1));
  return `{${keys.map((key) => `${JSON.stringify(key)}:${JSON.stringify(row[key])}`).join(",")}}`;
}

// Merkle trees: RFC 6962, section 2.1

const hashLeaf = (text) => sha256(LEAF, text);

/** Adds a leaf to the roots of complete subtrees, [size, root], largest first. */
function addLeaf(subtrees, leaf) {
  let [size, root] = [1, leaf];
  while (subtrees.length > 0 && subtrees.at(-1)[0] === size) {
    root = hashNode(subtrees.pop()[1], root);
    size *= 2;
  }
  subtrees.push([size, root]);
}

const rootOf = (subtrees) =>
  subtrees.length === 0
    ? sha256()
    : subtrees.map(([, root]) => root).reduceRight((right, left) => hashNode(left, right));

/** RFC 9162, section 2.1.3.2. */
function rootFromPath(leaf, index, size, path) {
  let [fn, sn, root] = [BigInt(index), BigInt(size) - 1n, leaf];
  check(fn <= sn && fn >= 0n, "the leaf is outside the tree");
  for (const sibling of path) {
    check(sn !== 0n, "the audit path is too long");
    if ((fn & 1n) === 1n || fn === sn) {
      root = hashNode(sibling, root);
      while ((fn & 1n) === 0n && fn !== 0n) [fn, sn] = [fn >> 1n, sn >> 1n];
    } else root = hashNode(root, sibling);
    [fn, sn] = [fn >> 1n, sn >> 1n];
  }
  check(sn === 0n, "the audit path is too short");
  return root;
}

/** RFC 9162, section 2.1.4.2. */
function checkConsistency(first, second, firstRoot, secondRoot, proof) {
  if (first === second) return check(firstRoot.equals(secondRoot) && proof.length === 0, "equal logs differ");
  const path = (first & (first - 1)) === 0 ? [firstRoot, ...proof] : [...proof];
  check(path.length > 0, "the consistency proof is empty");
  let [fn, sn] = [BigInt(first) - 1n, BigInt(second) - 1n];
  while ((fn & 1n) === 1n) [fn, sn] = [fn >> 1n, sn >> 1n];
  let [older, newer] = [path[0], path[0]];
  for (const sibling of path.slice(1)) {
    check(sn !== 0n, "the consistency proof is too long");
    if ((fn & 1n) === 1n || fn === sn) {
      [older, newer] = [hashNode(sibling, older), hashNode(sibling, newer)];
      while ((fn & 1n) === 0n && fn !== 0n) [fn, sn] = [fn >> 1n, sn >> 1n];
    } else newer = hashNode(newer, sibling);
    [fn, sn] = [fn >> 1n, sn >> 1n];
  }
  check(sn === 0n && older.equals(firstRoot) && newer.equals(secondRoot), "the log of heads was rewritten");
}

// Heads

/** Checks a signature. @returns the manifest */
function openManifest({ manifest: text, signature, public_key: publicKey }, trustedKey, nameOf) {
  const key = trustedKey ?? publicKey;
  const manifest = parse(text, "the manifest");
  const name = nameOf(manifest);
  check(publicKey === key, `${name} is signed by ${publicKey}, not by the key that you trust`);
  check(/^[0-9a-f]{64}$/.test(key), `${name} has a key that is not 64 hex digits`);
  const x = Buffer.from(key, "hex").toString("base64url");
  const opened = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  check(verify(null, Buffer.from(text), opened, Buffer.from(signature, "hex")), `${name} has a wrong signature`);
  keys.add(key);
  return manifest;
}

/** Checks the signature of a head. @returns its manifest, with the head */
function openHead(found, trustedKey) {
  const { manifest: text } = found;
  const manifest = openManifest(found, trustedKey, ({ day }) => `the manifest of ${day}`);
  const name = `the manifest of ${manifest.day}`;
  check(manifest.type === "archive_day" && manifest.version === 1, `${name} is of an unknown kind`);
  const head = hex(hashLeaf(text));
  check(found.head === undefined || found.head === head, `${name} has a wrong head`);
  return { ...manifest, head };
}

/** The keys that the checked manifests were signed with. */
const keys = new Set();

async function openHeads(sources, trustedKey) {
  const pages = (await Promise.all(sources.map(readPages))).flat();
  const byDay = new Map();
  for (const found of findHeads(pages)) {
    const head = openHead(found, trustedKey);
    const other = byDay.get(head.day);
    check(other === undefined || other.head === head.head, `there are two heads of ${head.day}`);
    byDay.set(head.day, head);
  }
  check(byDay.size > 0, "there is no head to check");
  const heads = [...byDay.values()].sort((a, b) => a.sequence - b.sequence);
  return { heads, consistency: pages.map((page) => page.consistency).filter((proof) => proof != null) };
}

/** The position of an outbox event as text. */
const place = ({ commit_xid, id }) => `${commit_xid}:${id}`;

/** Checks what a manifest says about itself. */
function checkCounts({ day, datasets, outbox }) {
  for (const { name, rows, first_row, last_row, files } of datasets) {
    check(last_row - first_row + 1 === rows, `${day}: the row numbers of ${name} do not match its rows`);
    const inFiles = files.reduce((sum, file) => sum + file.rows, 0);
    check(inFiles === rows, `${day}: the files of ${name} have ${inFiles} of ${rows} rows`);
  }
  const { first_sequence: first, last_sequence: last, events } = outbox;
  check(last - first + 1 === events, `${day}: the event numbers do not match the number of events`);
}

function checkSuccession(before, after) {
  const missing = `between ${before.day} and ${after.day}`;
  check(after.sequence === before.sequence + 1, `heads are missing ${missing}`);
  check(Date.parse(after.day) - Date.parse(before.day) === DAY_MS, `a day is missing ${missing}`);
  check(after.previous_head === before.head, `${after.day} does not continue the head of ${before.day}`);
  for (const { name, first_row } of after.datasets) {
    const last = before.datasets.find((dataset) => dataset.name === name)?.last_row ?? 0;
    check(first_row === last + 1, `rows of ${name} are missing ${missing}: ${last + 1} to ${first_row - 1}`);
  }
  const [was, is] = [before.outbox, after.outbox];
  check(is.first_sequence === was.last_sequence + 1, `event numbers are missing ${missing}`);
  check(is.gap === null, `events are missing ${missing}: ${is.gap}`);
  check(is.epoch === was.epoch && place(is.after) === place(was.last), `events are missing ${missing}`);
}

async function verifyHeads(sources, trustedKey) {
  const { heads, consistency } = await openHeads(sources, trustedKey);
  const log = [];
  heads.forEach((head, index) => {
    checkCounts(head);
    if (index > 0) checkSuccession(heads[index - 1], head);
    if (heads[0].sequence !== 0) return;
    if (index === 0) check(head.previous_head === null, `${head.day} is the first day and names an earlier head`);
    check(hex(rootOf(log)) === head.log_root, `${head.day} has a wrong root of the earlier heads`);
    addLeaf(log, Buffer.from(head.head, "hex"));
  });
  for (const { from_sequence: from, to_sequence: to, path } of consistency) {
    const [older, newer] = [from, to].map((sequence) => heads.find((head) => head.sequence === sequence));
    check(older !== undefined && newer !== undefined, `the heads ${from} and ${to} of the proof are not in the list`);
    const [first, second] = [older, newer].map(({ log_root: root }) => Buffer.from(root, "hex"));
    checkConsistency(
      from,
      to,
      first,
      second,
      path.map((node) => Buffer.from(node, "hex")),
    );
  }
  const [first, last] = [heads[0], heads.at(-1)];
  const numbers = `${first.outbox.first_sequence} to ${last.outbox.last_sequence}`;
  const chain = first.sequence === 0 ? "from the first day on" : `from head ${first.sequence} on`;
  return `${heads.length} heads, ${first.day} to ${last.day}, ${chain}; events ${numbers}; no number is missing`;
}

// Files and rows

async function verifyFile([file, headSource], trustedKey) {
  const { heads } = await openHeads([headSource], trustedKey);
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const part of createReadStream(file)) {
    hash.update(part);
    bytes += part.length;
  }
  const digest = hash.digest("hex");
  const found = heads.flatMap(({ day, datasets }) =>
    datasets.flatMap(({ files }) => files.filter(({ sha256: own }) => own === digest).map((entry) => ({ day, entry }))),
  )[0];
  check(found !== undefined, `no signed manifest names a file with SHA-256 ${digest}`);
  check(found.entry.bytes === bytes, `the manifest says ${found.entry.bytes} bytes, the file has ${bytes}`);
  return `${found.entry.key}: ${found.entry.rows} rows of ${found.day}`;
}

async function verifyRows([name, file, headSource], trustedKey) {
  const { heads } = await openHeads([headSource], trustedKey);
  const tree = [];
  let rows = 0;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    if (line === "") continue;
    addLeaf(tree, hashLeaf(canonicalJson({ dataset: name, ...JSON.parse(line) })));
    rows += 1;
  }
  const root = hex(rootOf(tree));
  const found = heads.find(({ datasets }) =>
    datasets.some((dataset) => dataset.name === name && dataset.merkle_root === root && dataset.rows === rows),
  );
  check(found !== undefined, `no signed manifest has ${rows} rows of ${name} with the root ${root}`);
  return `${rows} rows of ${name} are those of ${found.day}`;
}

/** Checks an inclusion proof. @returns the row and its day's manifest */
async function openProof(source, trustedKey) {
  const response = await readJson(source);
  const proof = response.data ?? response;
  const manifest = openHead(proof.head, trustedKey);
  const row = JSON.parse(proof.row);
  const dataset = manifest.datasets.find(({ name }) => name === row.dataset);
  check(dataset !== undefined, `${manifest.day} has no dataset ${row.dataset}`);
  check(canonicalJson(row) === proof.row, "the row is not canonical");
  const path = proof.path.map((node) => Buffer.from(node, "hex"));
  const root = rootFromPath(hashLeaf(proof.row), proof.leaf_index, dataset.rows, path);
  check(hex(root) === dataset.merkle_root, `the row is not in the signed archive of ${manifest.day}`);
  check(row.recorded_at.startsWith(manifest.day), `the row was not recorded on ${manifest.day}`);
  return { row, manifest };
}

async function verifyRow([source], trustedKey) {
  const { row, manifest } = await openProof(source, trustedKey);
  return `row ${row.id} of ${row.dataset} is in the archive of ${manifest.day}`;
}

async function verifyPick([entrySource, proofSource], trustedKey) {
  const response = await readJson(entrySource);
  const entry = response.data ?? response;
  check(entry.state === "opened", `the entry is ${entry.state}: only an opened one can be checked`);
  const { payload, commitment_nonce: nonce, commitment_hash: hash } = entry;
  check(/^[0-9a-f]{64}$/.test(nonce), "the nonce is not 64 hex digits");
  check(
    hex(sha256(canonicalJson(payload), Buffer.from(nonce, "hex"))) === hash,
    "payload and nonce do not give the hash",
  );
  const { row, manifest } = await openProof(proofSource, trustedKey);
  check(row.dataset === "pick_commitments" && row.id === String(entry.pick_id), "the proof is of another row");
  check(row.commitment_hash === hash, "the archive has another commitment of this pick");
  check(Date.parse(row.recorded_at) < Date.parse(payload.kickoff), "the commitment was recorded after the kickoff");
  return `pick ${entry.pick_id} was committed at ${row.recorded_at}, before ${payload.kickoff}; archived on ${manifest.day}`;
}

// Downloads of datasets and exports

/** Fields that the status shows beside the signed text. */
const SHOWN = [
  ...["format", "schema_version", "row_count", "content_size_bytes", "content_sha256"],
  ...["compressed_size_bytes", "compressed_sha256", "merkle_root"],
];

/** Checks the signature of a file, and that the status shows what is signed. @returns the signed manifest */
async function openFileManifest(source, trustedKey) {
  const status = await readJson(source);
  const job = status.data ?? status;
  check(job.artifact != null, `the job has no file: its status is ${job.status}`);
  const { manifest: shown, proof, proof_unavailable_reason: reason } = job.artifact;
  check(proof != null, `the file has no signed manifest: ${reason ?? "no reason is given"}`);
  const name = `the manifest of job ${job.job_id}`;
  const manifest = openManifest(proof, trustedKey, () => name);
  check(manifest.type === "export_file" && manifest.version === 1, `${name} is of an unknown kind`);
  check(
    manifest.job_id === job.job_id,
    `the status is of job ${job.job_id}, the signed manifest of ${manifest.job_id}`,
  );
  const pairs = [
    ...SHOWN.map((field) => [field, shown[field], manifest[field]]),
    ["generation.id", shown.generation.id, manifest.snapshot.generation_id],
    ["generation.selected_at", shown.generation.selected_at, manifest.snapshot.selected_at],
  ];
  for (const [field, is, signed] of pairs)
    check(is === signed, `the status says ${field} ${is}, the signed manifest says ${signed}`);
  return manifest;
}

/** Hashes and counts the bytes that pass through. */
async function* measured(chunks, measure) {
  for await (const chunk of chunks) {
    measure.hash.update(chunk);
    measure.bytes += chunk.length;
    yield chunk;
  }
}

const aMeasure = () => ({ hash: createHash("sha256"), bytes: 0 });

/** The records of a text without their ends; an end between double quotes is part of the record if `isQuoted`. */
async function* recordsOf(chunks, end, isQuoted) {
  // Not readline, which also ends lines at U+2028, which JSON does not escape.
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let [pending, open] = ["", null];
  for await (const chunk of chunks) {
    const pieces = (pending + decoder.decode(chunk, { stream: true })).split(end);
    pending = pieces.pop();
    for (const piece of pieces) {
      const record = open === null ? piece : open + end + piece;
      open = isQuoted && record.split('"').length % 2 === 0 ? record : null;
      if (open === null) yield record;
    }
  }
  check(pending + decoder.decode() === "" && open === null, "the file ends within a row");
}

/** The fields of a CSV record, RFC 4180. */
function csvFields(record) {
  const fields = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y;
  for (let separator = ","; separator !== "";) {
    const match = field.exec(record);
    check(match !== null, `a CSV record is malformed: ${record}`);
    fields.push(match[1] === undefined ? match[2] : match[1].replaceAll('""', '"'));
    separator = match[3];
  }
  return fields;
}

/** The rows of a file's content as objects. */
const READ_ROWS = {
  async *ndjson(chunks, hasEnvelope) {
    let number = 0;
    for await (const line of recordsOf(chunks, "\n", false))
      if ((number += 1) > 1 || !hasEnvelope) yield parse(line, "a row");
    check(number > 0 || !hasEnvelope, "the file has no envelope");
  },
  /** Line 1 is the envelope up to the list of trades, then there is one trade a line, then the end. */
  async *json(chunks) {
    let [number, last] = [0, null];
    for await (const line of recordsOf(chunks, "\n", false)) {
      if (number > 1) yield parse(last.replace(/,$/, ""), "a row");
      number += 1;
      last = line;
      if (number === 1) check(line.endsWith(',"trades":['), "the file does not begin with its envelope");
    }
    check(last === "]}", "the file does not end with its list of trades");
  },
  async *csv(chunks) {
    let header = null;
    for await (const record of recordsOf(chunks, "\r\n", true)) {
      const fields = csvFields(header === null ? record.replace(/^\uFEFF/, "") : record);
      if (header === null) {
        header = fields;
        continue;
      }
      check(fields.length === header.length, `a CSV record has ${fields.length} of ${header.length} fields`);
      yield Object.fromEntries(header.map((name, n) => [name, fields[n]]));
    }
    check(header !== null, "the file has no header");
  },
};

async function startsLikeGzip(file) {
  for await (const chunk of createReadStream(file, { start: 0, end: 1 })) return chunk.toString("hex") === "1f8b";
  return false;
}

/** Adds the rows of a text to a tree. @returns their number */
async function addRows(tree, format, chunks, hasEnvelope) {
  let rows = 0;
  for await (const row of READ_ROWS[format](chunks, hasEnvelope)) {
    addLeaf(tree, hashLeaf(canonicalJson(row)));
    rows += 1;
  }
  return rows;
}

async function verifyDownload([file, statusSource, rowsFile], trustedKey) {
  const manifest = await openFileManifest(statusSource, trustedKey);
  const problems = [];
  const compare = (what, is, signed) =>
    is === signed || problems.push(`${what} is ${is}, the signed manifest says ${signed}`);
  const compareBytes = (what, { hash, bytes }, size, digest) => {
    compare(`the size of ${what}`, bytes, size);
    compare(`the SHA-256 of ${what}`, hash.digest("hex"), digest);
  };
  const isParquet = manifest.format === "parquet";
  const isGzip = !isParquet && (await startsLikeGzip(file));
  if (isParquet || isGzip) {
    const stored = aMeasure();
    for await (const _ of measured(createReadStream(file), stored));
    compareBytes("the stored file", stored, manifest.compressed_size_bytes, manifest.compressed_sha256);
  }
  const tree = [];
  let rows = null;
  try {
    if (isParquet && rowsFile !== undefined) rows = await addRows(tree, "ndjson", createReadStream(rowsFile), false);
    if (!isParquet) {
      const content = aMeasure();
      const source = isGzip ? createReadStream(file).pipe(createGunzip()) : createReadStream(file);
      const hasEnvelope = manifest.selection.kind === "trader_export";
      rows = await addRows(tree, manifest.format, measured(source, content), hasEnvelope);
      compareBytes("the content", content, manifest.content_size_bytes, manifest.content_sha256);
    }
    if (rows !== null) {
      compare("the number of rows", rows, manifest.row_count);
      compare("the Merkle root of the rows", hex(rootOf(tree)), manifest.merkle_root);
    }
  } catch (error) {
    if (error.code === "ENOENT") throw error;
    problems.push(`the rows cannot be read: ${error.message}`);
  }
  check(problems.length === 0, problems.join("\nFAILED  "));
  const checked = [
    ...["signature", isParquet || isGzip ? "stored bytes" : "content, not the stored bytes"],
    rows === null ? "not the rows" : "rows",
  ];
  return `${manifest.row_count} rows of job ${manifest.job_id}, ${manifest.format}; checked: ${checked.join(", ")}`;
}

const COMMANDS = {
  heads: { least: 1, most: Infinity, run: verifyHeads },
  file: { least: 2, most: 2, run: verifyFile },
  rows: { least: 3, most: 3, run: verifyRows },
  row: { least: 1, most: 1, run: verifyRow },
  pick: { least: 2, most: 2, run: verifyPick },
  download: { least: 2, most: 3, run: verifyDownload },
};

function parseArguments(argv) {
  const at = argv.indexOf("--key");
  const key = at === -1 ? null : argv[at + 1];
  if (key !== null && !/^[0-9a-f]{64}$/.test(key ?? "")) throw new Usage("--key is not 64 lowercase hex digits");
  const [name, ...rest] = at === -1 ? argv : argv.toSpliced(at, 2);
  const command = Object.hasOwn(COMMANDS, name ?? "") ? COMMANDS[name] : undefined;
  if (command === undefined || rest.length < command.least || rest.length > command.most) throw new Usage(USAGE);
  return { command, rest, key };
}

try {
  const { command, rest, key } = parseArguments(process.argv.slice(2));
  console.log(`OK  ${await command.run(rest, key)}`);
  if (key === null) console.log(`Signed by ${[...keys].join(" and ")}. Compare this with the key that you trust.`);
} catch (error) {
  console.error(error instanceof Failed ? `FAILED  ${error.message}` : error instanceof Usage ? error.message : error);
  process.exitCode = error instanceof Usage ? 2 : 1;
}
