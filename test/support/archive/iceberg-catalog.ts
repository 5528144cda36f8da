import { z } from "zod";
import { parseExactJson, stringifyExactJson } from "../../../src/lib/exact-json.ts";

/*
 * An Iceberg REST catalog in memory, as `fetch`. Requests are checked against the published OpenAPI document
 * (apache/iceberg, open-api/rest-catalog-open-api.yaml): CreateNamespaceRequest, CreateTableRequest,
 * CommitTableRequest. Like R2 Data Catalog it has a prefix and decides the location of a table.
 */

export const CATALOG = {
  ...{ uri: "https://catalog.example.test/account/archive", warehouse: "account_archive" },
  ...{ token: "catalog-token-1", bucket: "archive" },
} as const;
const PREFIX = "0d2c";

/** What goes wrong with the next commit. */
export type CommitFault =
  /** Another writer commits first. */
  | "overtaken"
  /** The commit takes effect, the response is 500. */
  | "applied_then_500"
  /** The commit takes effect, the connection breaks. */
  | "applied_then_broken"
  /** The commit does not take effect. */
  | "unavailable";

const id = z.union([z.int(), z.bigint()]);
const NewNamespace = z.strictObject({
  namespace: z.tuple([z.string().min(1)]),
  properties: z.record(z.string(), z.string()).optional(),
});
const Field = z.strictObject({
  ...{ id: z.int().positive(), name: z.string(), required: z.boolean() },
  type: z.enum(["long", "timestamptz", "double", "string"]),
});
const NewTable = z.strictObject({
  name: z.string().min(1),
  location: z.string().optional(),
  schema: z.strictObject({ type: z.literal("struct"), "schema-id": z.int().optional(), fields: z.array(Field) }),
  "partition-spec": z.strictObject({
    "spec-id": z.int().optional(),
    fields: z.array(
      z.strictObject({
        ...{ "source-id": z.int(), "field-id": z.int().optional(), name: z.string() },
        transform: z.enum(["identity", "day"]),
      }),
    ),
  }),
  "stage-create": z.literal(false).optional(),
  properties: z.record(z.string(), z.string()).optional(),
});
const Snapshot = z.strictObject({
  "snapshot-id": id,
  "parent-snapshot-id": id.optional(),
  "sequence-number": z.int(),
  "timestamp-ms": z.int(),
  "manifest-list": z.string(),
  summary: z.looseObject({ operation: z.enum(["append", "replace", "overwrite", "delete"]) }).catchall(z.string()),
  "schema-id": z.int().optional(),
});
const Commit = z.strictObject({
  identifier: z.strictObject({ namespace: z.array(z.string()), name: z.string() }).optional(),
  requirements: z.array(
    z.discriminatedUnion("type", [
      z.strictObject({ type: z.literal("assert-table-uuid"), uuid: z.string() }),
      z.strictObject({
        type: z.literal("assert-ref-snapshot-id"),
        ref: z.literal("main"),
        "snapshot-id": id.nullable(),
      }),
    ]),
  ),
  updates: z.array(
    z.discriminatedUnion("action", [
      z.strictObject({ action: z.literal("add-snapshot"), snapshot: Snapshot }),
      z.strictObject({
        ...{ action: z.literal("set-snapshot-ref"), "ref-name": z.literal("main"), type: z.literal("branch") },
        "snapshot-id": id,
      }),
      z.strictObject({ action: z.literal("set-properties"), updates: z.record(z.string(), z.string()) }),
    ]),
  ),
});

interface Table {
  readonly namespace: string;
  metadata: Metadata;
}

interface Metadata {
  [name: string]: unknown;
  "table-uuid": string;
  "last-sequence-number": number;
  properties: Record<string, string>;
  snapshots: z.output<typeof Snapshot>[];
  "current-snapshot-id": number | bigint;
}

export class MemoryCatalog {
  readonly namespaces = new Set<string>();
  readonly tables = new Map<string, Table>();
  /** One for each commit from now on. */
  readonly faults: CommitFault[] = [];
  readonly requests: string[] = [];
  /** Tables are created in this bucket. */
  bucket: string = CATALOG.bucket;
  #uuid = 0;

  /** The metadata of a table as a client receives it. */
  table(name: string): Metadata | undefined {
    return this.tables.get(name)?.metadata;
  }

  /** Another writer rewrites the table, as a compaction does. Its id has 63 bits. */
  rewrite(name: string): void {
    const table = this.tables.get(name);
    const current = table?.metadata.snapshots.find(
      (own) => own["snapshot-id"] === table.metadata["current-snapshot-id"],
    );
    if (table === undefined) throw new Error(`there is no table ${name}`);
    const snapshot = {
      ...{ "snapshot-id": 9_123_456_789_012_345_679n + 1_000_000n * BigInt(table.metadata.snapshots.length) },
      ...(current === undefined ? {} : { "parent-snapshot-id": current["snapshot-id"] }),
      ...{ "sequence-number": table.metadata["last-sequence-number"] + 1, "timestamp-ms": 0 },
      ...{ "manifest-list": current?.["manifest-list"] ?? "", summary: { operation: "replace" as const } },
    };
    if (current !== undefined) addSnapshot(table.metadata, snapshot);
    else table.metadata.properties["touched"] = "yes";
    if (current !== undefined) table.metadata["current-snapshot-id"] = snapshot["snapshot-id"];
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const url = new URL(String(input));
    const method = init?.method ?? "GET";
    const path = url.pathname.replace("/account/archive", "");
    this.requests.push(`${method} ${path}${url.search}`);
    if (init?.signal?.aborted === true) throw new DOMException("aborted", "AbortError");
    if (new Headers(init?.headers).get("authorization") !== `Bearer ${CATALOG.token}`)
      return failure(401, "NotAuthorizedException", "The token is not valid");
    if (path === "/v1/config") {
      if (url.searchParams.get("warehouse") !== CATALOG.warehouse)
        return failure(404, "NotFoundException", "warehouse");
      return success({ defaults: {}, overrides: { prefix: PREFIX } });
    }
    const [, rest] = path.split(`/v1/${PREFIX}/namespaces`);
    if (rest === undefined) return failure(404, "NotFoundException", `No route for ${path}`);
    const body = typeof init?.body === "string" ? parseExactJson(init.body) : null;
    try {
      return this.#route(method, rest.split("/").slice(1), body);
    } catch (error) {
      if (error instanceof z.ZodError) return failure(400, "BadRequestException", z.prettifyError(error));
      throw error;
    }
  };

  #route(method: string, [namespace, , name]: string[], body: unknown): Response {
    if (namespace === undefined) return this.#createNamespace(NewNamespace.parse(body).namespace[0]);
    if (!this.namespaces.has(namespace)) return failure(404, "NoSuchNamespaceException", namespace);
    if (name === undefined) return this.#createTable(namespace, NewTable.parse(body));
    const table = this.tables.get(name);
    if (table === undefined) return failure(404, "NoSuchTableException", name);
    if (method === "GET") return loaded(table);
    return this.#commit(name, table, Commit.parse(body));
  }

  #createNamespace(namespace: string): Response {
    if (this.namespaces.has(namespace)) return failure(409, "AlreadyExistsException", namespace);
    this.namespaces.add(namespace);
    return success({ namespace: [namespace], properties: {} });
  }

  #createTable(namespace: string, { name, schema, properties = {}, ...table }: z.output<typeof NewTable>): Response {
    if (this.tables.has(name)) return failure(409, "AlreadyExistsException", name);
    const uuid = `00000000-0000-4000-8000-${String(++this.#uuid).padStart(12, "0")}`;
    const spec = { "spec-id": 0, fields: table["partition-spec"].fields };
    const created: Table = {
      namespace,
      metadata: {
        ...{ "format-version": 2, "table-uuid": uuid, location: `s3://${this.bucket}/__r2_data_catalog/wh/${uuid}/` },
        ...{ "last-sequence-number": 0, "last-updated-ms": 1_000, "last-column-id": schema.fields.length },
        ...{ schemas: [{ ...schema, "schema-id": 0 }], "current-schema-id": 0 },
        ...{ "partition-specs": [spec], "default-spec-id": 0, "last-partition-id": 1000 },
        ...{ "sort-orders": [{ "order-id": 0, fields: [] }], "default-sort-order-id": 0 },
        ...{ properties, snapshots: [], "current-snapshot-id": -1 },
      },
    };
    this.tables.set(name, created);
    return loaded(created);
  }

  #commit(name: string, table: Table, { requirements, updates }: z.output<typeof Commit>): Response {
    const fault = this.faults.shift();
    if (fault === "unavailable") return failure(503, "ServiceUnavailableException", "try later");
    if (fault === "overtaken") this.rewrite(name);
    const { metadata } = table;
    const current = metadata["current-snapshot-id"] === -1 ? null : metadata["current-snapshot-id"];
    for (const requirement of requirements) {
      const holds =
        requirement.type === "assert-table-uuid"
          ? requirement.uuid === metadata["table-uuid"]
          : String(requirement["snapshot-id"]) === String(current);
      if (!holds) return failure(409, "CommitFailedException", requirement.type);
    }
    for (const update of updates) {
      if (update.action === "add-snapshot") addSnapshot(metadata, update.snapshot);
      else if (update.action === "set-snapshot-ref") metadata["current-snapshot-id"] = update["snapshot-id"];
      else Object.assign(metadata.properties, update.updates);
    }
    if (fault === "applied_then_500") return failure(500, "CommitStateUnknownException", "unknown");
    if (fault === "applied_then_broken") throw new TypeError("the connection broke");
    return loaded(table);
  }
}

function addSnapshot(metadata: Metadata, snapshot: z.output<typeof Snapshot>): void {
  if (snapshot["sequence-number"] !== metadata["last-sequence-number"] + 1) throw new Error("wrong sequence number");
  if (metadata.snapshots.some((own) => own["snapshot-id"] === snapshot["snapshot-id"]))
    throw new Error("same snapshot");
  metadata.snapshots.push(snapshot);
  metadata["last-sequence-number"] = snapshot["sequence-number"];
}

const success = (body: object): Response =>
  new Response(stringifyExactJson(body), { headers: { "content-type": "application/json" } });
const loaded = ({ metadata }: Table): Response =>
  success({ "metadata-location": "s3://archive/m.json", metadata, config: {} });
const failure = (code: number, type: string, message: string): Response =>
  new Response(JSON.stringify({ error: { message, type, code } }), { status: code });
