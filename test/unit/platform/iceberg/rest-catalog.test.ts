import { describe, expect, test } from "vitest";
import { CatalogError, RestCatalog } from "../../../../src/platform/iceberg/rest-catalog.ts";
import { TableMetadata } from "../../../../src/platform/iceberg/table-metadata.ts";
import { CATALOG } from "../../../support/archive/iceberg-catalog.ts";

/** A catalog that responds as given, after the configuration. */
function catalogOf(respond: (url: string, init: RequestInit) => Response, config: object = {}) {
  const requests: [string, RequestInit][] = [];
  const send: typeof fetch = async (input, init = {}) => {
    requests.push([String(input), init as RequestInit]);
    return String(input).includes("/v1/config") ? Response.json(config) : respond(String(input), init as RequestInit);
  };
  return { requests, catalog: new RestCatalog(CATALOG, send, new AbortController().signal) };
}

const METADATA = {
  ...{ "format-version": 2, "table-uuid": "u", location: "s3://archive/t", "last-sequence-number": 0 },
  ...{ "last-updated-ms": 1, schemas: [], "current-schema-id": 0, "partition-specs": [], "default-spec-id": 0 },
};
const SNAPSHOT = {
  ...{ "snapshot-id": 7n, "parent-snapshot-id": 9_123_456_789_012_345_679n, "sequence-number": 1, "timestamp-ms": 2 },
  ...{ "manifest-list": "s3://archive/l", "schema-id": 0, summary: { operation: "append" } },
};
const commit = (catalog: RestCatalog) => catalog.commit("n", "t", TableMetadata.parse(METADATA), SNAPSHOT, { a: "b" });
const failure = (status: number) =>
  Response.json({ error: { message: "because", type: "SomeException", code: status } }, { status });

describe("the client of an Iceberg catalog", () => {
  test.each([
    [{}, "/v1/namespaces/n/tables/t"],
    [{ defaults: { prefix: "a" } }, "/v1/a/namespaces/n/tables/t"],
    [{ defaults: { prefix: "a" }, overrides: { prefix: "b/c d" } }, "/v1/b/c%20d/namespaces/n/tables/t"],
  ])("takes the prefix of the configuration %j", async (config, path) => {
    const { catalog, requests } = catalogOf(() => Response.json({ metadata: METADATA }), config);
    await catalog.loadTable("n", "t");
    await catalog.loadTable("n", "t");
    expect(requests.map(([url]) => url.replace(CATALOG.uri, ""))).toEqual([
      "/v1/config?warehouse=account_archive",
      path,
      path,
    ]);
  });

  test("sends its token, follows no redirect, and keeps ids of 63 bits", async () => {
    const { catalog, requests } = catalogOf(() => Response.json({}));
    await commit(catalog);
    const [, init] = requests[1] ?? [];
    expect(init).toMatchObject({ redirect: "manual", headers: { authorization: `Bearer ${CATALOG.token}` } });
    expect(init?.body).toContain('{"type":"assert-ref-snapshot-id","ref":"main","snapshot-id":9123456789012345679}');
    const redirect = catalogOf(
      () => new Response(null, { status: 302, headers: { location: "https://other.example" } }),
    );
    await expect(redirect.catalog.loadTable("n", "t")).rejects.toThrow("returned status 302");
  });

  test("reads a table without snapshots, and one that does not exist", async () => {
    const { catalog } = catalogOf(() => Response.json({ metadata: { ...METADATA, "current-snapshot-id": -1 } }));
    expect(await catalog.loadTable("n", "t")).toMatchObject({ "current-snapshot-id": null, snapshots: [] });
    expect(await catalogOf(() => failure(404)).catalog.loadTable("n", "t")).toBeNull();
  });

  test.each([409, 500, 502, 503, 504])(
    "leaves the outcome of a commit with status %i to a read of the table",
    async (status) => {
      await expect(commit(catalogOf(() => failure(status)).catalog)).resolves.toBeUndefined();
    },
  );

  test("leaves the outcome of a commit without a response to a read of the table", async () => {
    const { catalog } = catalogOf(() => {
      throw new TypeError("connection broke");
    });
    await expect(commit(catalog)).resolves.toBeUndefined();
    await expect(catalog.loadTable("n", "t")).rejects.toThrow("the Iceberg catalog did not respond (TypeError)");
  });

  test.each([400, 401, 403, 404, 419, 429])("a commit with status %i fails, without the token", async (status) => {
    const error = await commit(catalogOf(() => failure(status)).catalog).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CatalogError);
    expect(String(error)).toBe(`CatalogError: the Iceberg catalog returned status ${status}: SomeException, because`);
  });

  test("a response that is not JSON fails", async () => {
    await expect(catalogOf(() => new Response("<html>")).catalog.loadTable("n", "t")).rejects.toThrow("status 200");
  });
});
