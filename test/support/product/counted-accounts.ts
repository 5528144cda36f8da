import { addReaders } from "./more-readers.ts";
import { queryDatabase } from "./product-database.ts";
import type { ProductResponse, StartedProduct } from "./started-product.ts";

/** An account with one key. */
export interface CountedAccount {
  readonly id: number;
  readonly key: string;
  readonly keyId: number;
}

/** Accounts of a started product. The responses to each are counted. */
export class CountedAccounts {
  readonly #product: StartedProduct;
  readonly #databaseUrl: string;
  readonly #dataDir: string;
  readonly #accounted = new Map<number, number>();

  constructor(product: StartedProduct, databaseUrl: string, dataDir: string) {
    this.#product = product;
    this.#databaseUrl = databaseUrl;
    this.#dataDir = dataDir;
  }

  async add(count: number): Promise<CountedAccount[]> {
    const keys = await addReaders(this.#databaseUrl, this.#dataDir, count);
    const rows = await queryDatabase(
      this.#databaseUrl,
      `select a.id::int, k.id::int as key_id from accounts a join api_keys k on k.account_id = a.id
       order by a.id desc limit ${count}`,
    );
    return rows.toReversed().map(({ id, key_id: keyId }, index) => ({ id, key: keys[index] ?? "", keyId }));
  }

  /** Sends a request from an address of the account. */
  async get(path: string, { id, key }: CountedAccount): Promise<ProductResponse> {
    const address = `10.1.${id >> 8}.${id & 255}`;
    const response = await this.#product.get(path, { authorization: `Bearer ${key}`, "cf-connecting-ip": address });
    if (response.headers.get("x-usage-accounting") === "persisted")
      this.#accounted.set(id, 1 + this.accountedOf({ id }));
    return response;
  }

  /** The number of responses that said that their request was recorded. */
  accountedOf({ id }: Pick<CountedAccount, "id">): number {
    return this.#accounted.get(id) ?? 0;
  }
}
