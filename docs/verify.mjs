#!/usr/bin/env node
/*
 * Checks the archive without anything of its publisher but its public key. One file, Node 20 or newer, no
 * packages. docs/archive.md specifies the formats.
 */
import { createHash, createPublicKey, verify } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";

const USAGE = `node verify.mjs COMMAND ... [--key PUBLIC_KEY]

  heads HEADS...                  signatures, the chain of heads, and that no day, row number or event number is missing
  file FILE HEAD                  a downloaded file is the one that a signed manifest names
  rows DATASET NDJSON HEAD        the rows of a dataset's day, one JSON object a line, have the signed Merkle root
  row PROOF                       a row is in the signed archive of its day
  pick ENTRY PROOF                a pick's opened commitment matches, and was archived before its kickoff was over

HEADS, HEAD, PROOF and ENTRY are files or URLs: responses of /api/v1/proofs/heads, /api/v1/proofs/rows/{id} and
/api/v1/pick-of-the-day/ledger/{pick_id}, or manifest files of the archive. A HEAD with several heads is searched.
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
  if (!/^https?:/.test(from)) return JSON.parse(await readFile(from, "utf8"));
  const response = await fetch(from);
  check(response.ok, `${from} responded ${response.status}`);
  return response.json();
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

/** Checks the signature of a head. @returns its manifest, with the head */
function openHead(found, trustedKey) {
  const { manifest: text, signature, public_key: publicKey } = found;
  const key = trustedKey ?? publicKey;
  check(publicKey === key, `a head is signed by ${publicKey}, not by the key that you trust`);
  const x = Buffer.from(key, "hex").toString("base64url");
  const opened = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  const manifest = JSON.parse(text);
  const name = `the manifest of ${manifest.day}`;
  check(verify(null, Buffer.from(text), opened, Buffer.from(signature, "hex")), `${name} has a wrong signature`);
  check(manifest.type === "archive_day" && manifest.version === 1, `${name} is of an unknown kind`);
  const head = hex(hashLeaf(text));
  check(found.head === undefined || found.head === head, `${name} has a wrong head`);
  keys.add(key);
  return { ...manifest, head };
}

/** The keys that the checked heads were signed with. */
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

const COMMANDS = {
  heads: { least: 1, most: Infinity, run: verifyHeads },
  file: { least: 2, most: 2, run: verifyFile },
  rows: { least: 3, most: 3, run: verifyRows },
  row: { least: 1, most: 1, run: verifyRow },
  pick: { least: 2, most: 2, run: verifyPick },
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
