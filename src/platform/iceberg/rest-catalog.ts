import { z } from "zod";
import type { Config } from "../../config.ts";
import { parseExactJson, stringifyExactJson } from "../../lib/exact-json.ts";
import { TableMetadata, type NewSnapshot, type NewTable } from "./table-metadata.ts";

export type CatalogSettings = NonNullable<Config["iceberg"]>;

/** The catalog refused a request or did not respond. The message never has the token. */
export class CatalogError extends Error {
  override name = "CatalogError";
}

const ConfigResponse = z.object({
  defaults: z.record(z.string(), z.string()).default({}),
  overrides: z.record(z.string(), z.string()).default({}),
});
const LoadTableResponse = z.object({ metadata: TableMetadata });
const ErrorResponse = z.object({ error: z.object({ message: z.string(), type: z.string() }) });

/** Characters of a catalog's own message in ours. */
const MESSAGE_CHARACTERS = 200;

/**
 * A client of the Iceberg REST catalog protocol, for one run of a job.
 *
 * Source: the Iceberg REST Catalog API (apache/iceberg, open-api/rest-catalog-open-api.yaml).
 */
export class RestCatalog {
  readonly #settings: CatalogSettings;
  readonly #fetch: typeof fetch;
  readonly #signal: AbortSignal;
  #prefix: string | null = null;

  /** @param signal ends every request */
  constructor(settings: CatalogSettings, fetcher: typeof fetch, signal: AbortSignal) {
    this.#settings = settings;
    this.#fetch = fetcher;
    this.#signal = signal;
  }

  /** @returns null when the table or its namespace does not exist */
  async loadTable(namespace: string, name: string): Promise<TableMetadata | null> {
    const response = await this.#request("GET", await this.#tables(namespace, name));
    if (response.status === 404) return null;
    return LoadTableResponse.parse(await this.#read(response)).metadata;
  }

  /** Creates a table, and its namespace when it does not exist. Tables that exist stay as they are. */
  async createTable(namespace: string, table: NewTable): Promise<void> {
    const root = await this.#root();
    await this.#create(`${root}/namespaces`, { namespace: [namespace], properties: {} });
    await this.#create(await this.#tables(namespace), { ...table, "stage-create": false });
  }

  /**
   * Adds a snapshot to `main` and sets properties, both or nothing, while `main` is at the snapshot's parent.
   * Afterwards the table must be read: this also resolves after a conflict, and after a failure of the catalog
   * or the connection, when the commit may have taken effect or still may.
   *
   * @throws CatalogError when the catalog refuses the commit for another reason
   */
  async commit(
    namespace: string,
    name: string,
    { "table-uuid": uuid }: TableMetadata,
    snapshot: NewSnapshot,
    properties: Readonly<Record<string, string>>,
  ): Promise<void> {
    const body = {
      identifier: { namespace: [namespace], name },
      requirements: [
        { type: "assert-table-uuid", uuid },
        { type: "assert-ref-snapshot-id", ref: "main", "snapshot-id": snapshot["parent-snapshot-id"] ?? null },
      ],
      updates: [
        { action: "add-snapshot", snapshot },
        { action: "set-snapshot-ref", "ref-name": "main", type: "branch", "snapshot-id": snapshot["snapshot-id"] },
        { action: "set-properties", updates: properties },
      ],
    };
    const path = await this.#tables(namespace, name);
    const response = await this.#request("POST", path, body).catch((error: unknown) => {
      if (error instanceof CatalogError) return null;
      throw error;
    });
    if (response === null) return;
    const isDecided = response.status < 500 && response.status !== 409;
    if (!response.ok && isDecided) await this.#read(response);
    await response.body?.cancel();
  }

  /** An object that exists is 409. */
  async #create(path: string, body: object): Promise<void> {
    const response = await this.#request("POST", path, body);
    if (response.status === 409) await response.body?.cancel();
    else await this.#read(response);
  }

  async #tables(namespace: string, name?: string): Promise<string> {
    const tables = `${await this.#root()}/namespaces/${encodeURIComponent(namespace)}/tables`;
    return name === undefined ? tables : `${tables}/${encodeURIComponent(name)}`;
  }

  /** The path of the warehouse's resources, whose prefix the catalog decides. */
  async #root(): Promise<string> {
    if (this.#prefix === null) {
      const path = `/v1/config?warehouse=${encodeURIComponent(this.#settings.warehouse)}`;
      const { defaults, overrides } = ConfigResponse.parse(await this.#read(await this.#request("GET", path)));
      const prefix = overrides["prefix"] ?? defaults["prefix"] ?? "";
      this.#prefix = prefix === "" ? "/v1" : `/v1/${prefix.split("/").map(encodeURIComponent).join("/")}`;
    }
    return this.#prefix;
  }

  #request(method: string, path: string, body?: object): Promise<Response> {
    // Called as a plain function: the runtime rejects its fetch as a method of another object.
    const send = this.#fetch;
    return send(`${this.#settings.uri}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#settings.token}`,
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: stringifyExactJson(body) }),
      // A redirect would send the token to a host that is not configured.
      redirect: "manual",
      signal: this.#signal,
    }).catch((error: unknown) => {
      throw new CatalogError(
        `the Iceberg catalog did not respond (${error instanceof Error ? error.name : typeof error})`,
        { cause: error },
      );
    });
  }

  /** @throws CatalogError unless the response is a success with JSON */
  async #read(response: Response): Promise<unknown> {
    const text = await response.text();
    const json = parseOrNull(text);
    if (response.ok && json !== null) return json;
    const { data } = ErrorResponse.safeParse(json);
    const reason = data === undefined ? "" : `: ${data.error.type}, ${data.error.message.slice(0, MESSAGE_CHARACTERS)}`;
    throw new CatalogError(`the Iceberg catalog returned status ${response.status}${reason}`);
  }
}

function parseOrNull(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return null;
  }
}
