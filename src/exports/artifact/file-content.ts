import { toHex } from "../../domain/proofs/hex.ts";
import { hashLeaf, MerkleTree } from "../../domain/proofs/merkle-tree.ts";
import type { SourcePage } from "../sources/source.ts";
import type { FileEncoder } from "./file-encoder.ts";
import type { RowProgress } from "./progress.ts";

/** The rows of one file: their bytes, and the Merkle tree over them. It continues from stored progress. */
export class FileContent {
  readonly #encoder: FileEncoder;
  readonly #tree: MerkleTree;
  #position: unknown;
  #rows: number;
  #isFirst: boolean;

  constructor(encoder: FileEncoder, from: RowProgress | null) {
    this.#encoder = encoder;
    this.#tree = new MerkleTree(from?.tree ?? null);
    this.#position = from?.position ?? null;
    this.#rows = from?.rows ?? 0;
    this.#isFirst = from === null;
  }

  get rows(): number {
    return this.#rows;
  }

  /** The key of the last row; null before the first. */
  get position(): unknown {
    return this.#position;
  }

  get progress(): RowProgress {
    return { position: this.#position, rows: this.#rows, tree: this.#tree.state, parquet: this.#encoder.parquet };
  }

  /** @returns the bytes of the page */
  add({ rows, position, isLast }: SourcePage): Uint8Array {
    const { bytes, leaves } = this.#encoder.encode({ rows, offset: this.#rows, isFirst: this.#isFirst, isLast });
    for (const leaf of leaves) this.#tree.append(hashLeaf(leaf));
    this.#rows += rows.length;
    this.#position = position;
    this.#isFirst = false;
    return bytes;
  }
}

/** The root of the tree over the rows, 64 hex digits. */
export const merkleRootOf = ({ tree }: RowProgress): string => toHex(new MerkleTree(tree).root());
