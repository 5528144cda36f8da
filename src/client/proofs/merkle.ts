import { concatBytes, sha256 } from "./sha256.ts";

type Hash = Uint8Array<ArrayBuffer>;

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);
const encoder = new TextEncoder();

/** The hash of a leaf: RFC 6962, section 2.1. */
export const hashLeaf = (text: string): Promise<Hash> => sha256(concatBytes(LEAF, encoder.encode(text)));

const hashNode = (left: Hash, right: Hash): Promise<Hash> => sha256(concatBytes(NODE, left, right));

/** The root over leaf hashes; the hash of nothing for no leaf. */
export async function merkleRoot(leaves: readonly Hash[]): Promise<Hash> {
  if (leaves.length === 0) return sha256(new Uint8Array());
  let level = leaves;
  while (level.length > 1) level = await nextLevel(level);
  return level[0] as Hash;
}

/** Pairs from the left; an odd last node moves up as it is, which is the tree of RFC 6962. */
async function nextLevel(level: readonly Hash[]): Promise<Hash[]> {
  const nodes: Hash[] = [];
  for (let at = 0; at < level.length; at += 2) {
    const [left, right] = [level[at] as Hash, level[at + 1]];
    nodes.push(right === undefined ? left : await hashNode(left, right));
  }
  return nodes;
}

/**
 * The root that an audit path leads to: RFC 9162, section 2.1.3.2.
 *
 * @returns null when the path does not fit the tree
 */
export async function rootFromPath(
  leaf: Hash,
  index: number,
  size: number,
  path: readonly Hash[],
): Promise<Hash | null> {
  let [node, last, root] = [BigInt(index), BigInt(size) - 1n, leaf];
  if (node < 0n || node > last) return null;
  for (const sibling of path) {
    if (last === 0n) return null;
    if ((node & 1n) === 1n || node === last) {
      root = await hashNode(sibling, root);
      while ((node & 1n) === 0n && node !== 0n) [node, last] = [node >> 1n, last >> 1n];
    } else root = await hashNode(root, sibling);
    [node, last] = [node >> 1n, last >> 1n];
  }
  return last === 0n ? root : null;
}
