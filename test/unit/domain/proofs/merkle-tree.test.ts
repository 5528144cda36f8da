import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromHex, toHex } from "../../../../src/domain/proofs/hex.ts";
import {
  consistencyProof,
  EMPTY_ROOT,
  hashLeaf,
  hashNode,
  inclusionProof,
  MerkleTree,
  rootOf,
  rootOfPath,
} from "../../../../src/domain/proofs/merkle-tree.ts";
import { BLOCK_ROWS } from "../../../../src/domain/proofs/row-leaf.ts";
import { chunk } from "../../../../src/lib/chunk.ts";
import { merkleHash } from "../../../support/oracles/merkle-hash.ts";

// The reference vectors of the Certificate Transparency project: eight leaves, the root of each size, and
// paths.
const LEAVES = "|00|10|2021|3031|40414243|5051525354555657|606162636465666768696a6b6c6d6e6f".split("|");
const ROOTS = [
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];
const N5 = "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e";
const LEAF_4 = "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b";
const LEAF_1 = "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7";
const RIGHT_HALF = "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4";
const LAST_TWO = "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0";

const leaves = LEAVES.map((leaf) => hashLeaf(fromHex(leaf)));

describe("the reference vectors of Certificate Transparency", () => {
  test("the empty tree has the hash of nothing", () => {
    expect(toHex(EMPTY_ROOT)).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(new MerkleTree().root()).toEqual(EMPTY_ROOT);
  });

  test("every size of the tree has its root", () => {
    const tree = new MerkleTree();
    const roots = leaves.map((leaf) => {
      tree.append(leaf);
      return toHex(tree.root());
    });
    expect(roots).toEqual(ROOTS);
  });

  test.for<[index: number, size: number, path: string[]]>([
    [0, 1, []],
    [0, 8, [LEAF_1, N5, RIGHT_HALF]],
    [5, 8, [LEAF_4, LAST_TWO, ROOTS[3] ?? ""]],
    [2, 3, [ROOTS[1] ?? ""]],
    [1, 5, [ROOTS[0] ?? "", N5, LEAF_4]],
  ])("leaf %d of a tree of %d leaves has its audit path", ([index, size, path]) => {
    expect(inclusionProof(leaves.slice(0, size), index).map(toHex)).toEqual(path);
  });

  test.for<[first: number, second: number, proof: string[]]>([
    [1, 1, []],
    [1, 8, [LEAF_1, N5, RIGHT_HALF]],
    [6, 8, ["0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a", LAST_TWO, ROOTS[3] ?? ""]],
    [2, 5, [N5, LEAF_4]],
  ])("sizes %d and %d have their consistency proof", ([first, second, proof]) => {
    expect(consistencyProof(leaves.slice(0, second), first).map(toHex)).toEqual(proof);
  });
});

const data = fc.array(fc.uint8Array({ maxLength: 6 }).map(toHex), { minLength: 1, maxLength: 700 });

test("a tree of any size has the root of the definition", () => {
  fc.assert(
    fc.property(data, (all) => {
      expect(toHex(rootOf(all.map((one) => hashLeaf(fromHex(one)))))).toBe(merkleHash(all));
    }),
    { numRuns: 40 },
  );
});

test("a tree that continues from its stored state after any leaf has the root of the definition", () => {
  fc.assert(
    fc.property(data, fc.array(fc.boolean(), { minLength: 700, maxLength: 700 }), (all, stops) => {
      let tree = new MerkleTree();
      for (const [n, one] of all.entries()) {
        tree.append(hashLeaf(fromHex(one)));
        if (stops[n] === true) tree = new MerkleTree(JSON.parse(JSON.stringify(tree.state)));
      }
      expect([tree.size, toHex(tree.root())]).toEqual([all.length, merkleHash(all)]);
    }),
    { numRuns: 40 },
  );
});

test("the path through a leaf's block and through the blocks' roots leads to the root of the whole tree", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_400 }), fc.nat(), (size, pick) => {
      const all = Array.from({ length: size }, (_, n) => hashLeaf(String(n)));
      const index = pick % size;
      const blocks = chunk(all, BLOCK_ROWS);
      const block = Math.floor(index / BLOCK_ROWS);
      const path = [
        ...inclusionProof(blocks[block] ?? [], index % BLOCK_ROWS),
        ...inclusionProof(blocks.map(rootOf), block),
      ];
      expect(path).toEqual(inclusionProof(all, index));
      const [leaf = EMPTY_ROOT] = all.slice(index);
      expect(rootOfPath(leaf, index, size, path)).toEqual(rootOf(all));
      expect(rootOf(blocks.map(rootOf))).toEqual(rootOf(all));
    }),
    { numRuns: 60 },
  );
});

test("a path of another leaf, another size or another length does not lead to the root", () => {
  const [leaf = EMPTY_ROOT] = leaves.slice(5);
  const path = inclusionProof(leaves, 5);
  const root = rootOf(leaves);
  expect(rootOfPath(leaf, 5, 8, path)).toEqual(root);
  expect(rootOfPath(leaf, 4, 8, path)).not.toEqual(root);
  expect(rootOfPath(leaf, 5, 8, path.slice(1))).toBeNull();
  expect(rootOfPath(leaf, 5, 8, [...path, root])).toBeNull();
  expect(rootOfPath(leaf, 8, 8, path)).toBeNull();
});

test("a proof of a leaf or a size that the tree does not have is refused", () => {
  expect(() => inclusionProof(leaves, 8)).toThrow(RangeError);
  expect(() => inclusionProof(leaves, -1)).toThrow(RangeError);
  expect(() => consistencyProof(leaves, 0)).toThrow(RangeError);
  expect(() => consistencyProof(leaves, 9)).toThrow(RangeError);
});

test("a node is made of two whole hashes, and does not depend on the node before", () => {
  const [left = EMPTY_ROOT, right = EMPTY_ROOT] = leaves;
  hashNode(EMPTY_ROOT, EMPTY_ROOT);
  expect(toHex(hashNode(left, right))).toBe(ROOTS[1]);
  expect(() => hashNode(left.subarray(1), right)).toThrow(RangeError);
});
