import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ERRORS } from "../../../src/api/errors.ts";
import type { Operation } from "../../../src/api/operation.ts";
import { API_OPERATIONS, OPERATIONS, WEB_OPERATIONS } from "../../../src/operations/index.ts";
import { ADDED_PARAMETERS, ADDED_VALUES, ADDITIONS, REPEATABLE_PARAMETERS } from "../../contract/additions.ts";
import contract from "../../contract/contract.json" with { type: "json" };
import { contractOperation } from "../../contract/contract.ts";

/**
 * What clients read about an operation's parameters: the generated document, not the code that generates it.
 */
interface DocumentOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
  readonly security: readonly unknown[];
  readonly parameters: readonly { name: string; in: string; required: boolean; schema: Record<string, unknown> }[];
  readonly responses: Readonly<Record<string, unknown>>;
}

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
}

const readDocument = (file: string): OpenApiDocument =>
  JSON.parse(readFileSync(new URL(`../../../src/generated/${file}`, import.meta.url), "utf8"));
const apiDocument = readDocument("openapi.txt");
const webDocument = readDocument("web-openapi.txt");

function documented(operation: Operation): DocumentOperation {
  const { paths } = operation.access === "session" ? webDocument : apiDocument;
  const entry = paths[operation.path]?.[operation.method];
  if (entry === undefined) throw new Error(`${operation.path} is not in the document`);
  return entry;
}

/** Name, required flag and schema (without its description) of every path or query parameter. */
function parametersIn(operation: Operation, location: "path" | "query"): Record<string, unknown> {
  const found = documented(operation).parameters.filter((parameter) => parameter.in === location);
  return Object.fromEntries(
    found.map(({ name, required, schema: { description: _, ...schema } }) => [name, { ...schema, required }]),
  );
}

/** A success entry of the contract. */
interface Success {
  readonly object: string | null;
  readonly list: boolean;
  readonly extra_top_level: object;
  readonly fields?: readonly string[];
  readonly variants?: Readonly<Record<string, string>>;
}

/** The names of the fields of a success: of the object, or of a list's rows. */
function dataFieldsOf(operation: Operation): readonly string[] {
  const content = documented(operation).responses[String(successStatusOf(operation))];
  const { data } = z
    .object({ content: z.object({ "application/json": z.object({ example: z.object({ data: z.unknown() }) }) }) })
    .parse(content).content["application/json"].example;
  return Object.keys(z.record(z.string(), z.unknown()).parse(Array.isArray(data) ? data[0] : data));
}

const successStatusOf = (operation: Operation): number =>
  (operation.kind === "single" ? operation.successStatus : undefined) ?? 200;

const CONTRACTED = OPERATIONS.filter(({ id }) => !ADDITIONS.includes(id));

test("the registry has each operation of the contract's extract once, and no others except the additions", () => {
  expect(OPERATIONS.map(({ id }) => id)).toEqual(expect.arrayContaining([...ADDITIONS]));
  expect(CONTRACTED.map(({ id }) => id).toSorted()).toEqual(
    contract.operations.map(({ operationId }) => operationId).toSorted(),
  );
});

/** The endpoint for agents is no operation: its tools run the operations. */
const MCP_ROUTE = "post /api/v1/mcp";

test.each([
  ["API", apiDocument, API_OPERATIONS, [MCP_ROUTE]],
  ["website", webDocument, WEB_OPERATIONS, []],
] as const)("the document of the %s has exactly its operations", (_, { paths }, operations, others) => {
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  expect(routes.length).toBeGreaterThan(0);
  expect(routes.toSorted()).toEqual(
    [...operations.map(({ method, path }) => `${method} ${path}`), ...others].toSorted(),
  );
});

test("every operation of the registry is in one of the documents", () => {
  expect([...API_OPERATIONS, ...WEB_OPERATIONS].toSorted()).toEqual([...OPERATIONS].toSorted());
  expect(API_OPERATIONS.length + WEB_OPERATIONS.length).toBe(OPERATIONS.length);
});

test("no operation of the website is in the document of the API", () => {
  const hosted = WEB_OPERATIONS.filter(({ path, method }) => apiDocument.paths[path]?.[method] !== undefined);
  expect(hosted.map(({ id }) => id)).toEqual([]);
});

/** The fields of a response schema. */
const propertiesOf = (name: string): object =>
  Object.entries<object>(contract.schemas).flatMap(([schema, fields]) =>
    schema === name && "properties" in fields ? [Object(fields.properties)] : [],
  )[0] ?? {};

/**
 * The contract mentions the bracketed spelling of one operation only in a remark, which the extract leaves
 * out.
 */
const BRACKETED_IN_A_NOTE = "expand[]";
/**
 * The contract has no plan for operations of the website. The specification has: key management needs Pro or
 * Max.
 */
const PLAN_OF_SESSIONS = "pro";
const SECURITY: Readonly<Record<string, readonly unknown[]>> = {
  public: [],
  key: [{ bearer: [] }],
  session: [{ session: [] }],
};

/** The contract's parameter of one value, as a parameter of several. */
const repeatable = ({ required, ...items }: { required?: boolean }) => ({
  type: "array",
  items,
  maxItems: 25,
  required,
});

describe.each(CONTRACTED.map((operation) => [operation.id, operation] as const))("%s", (id, operation) => {
  const expected = contractOperation(id);

  test(`${id} has the contract's route, group, access, scope, plan and cost`, () => {
    expect(operation).toMatchObject({
      method: expected.method.toLowerCase(),
      path: expected.path,
      tag: expected.tag,
      access: expected.auth,
      scope: expected.scope,
      plan: expected.auth === "session" ? PLAN_OF_SESSIONS : expected.plan,
      // Where the contract publishes no cost, it is 1. An operation of the website takes nothing from the
      // quota.
      cost: expected.cost ?? (expected.auth === "session" ? 0 : 1),
    });
  });

  test(`${id} has the contract's tool name, deprecation and conditional responses`, () => {
    expect(operation).toMatchObject({ mcpTool: expected.mcp_tool, conditional: expected.conditional });
    expect(operation.alias?.of ?? null).toBe(expected.alias_of);
    expect(operation.alias !== undefined).toBe(expected.deprecated);
  });

  test(`${id} is documented as it is declared`, () => {
    const entry = documented(operation);
    expect(entry).toMatchObject({ operationId: id, tags: [expected.tag] });
    expect(entry.deprecated ?? false).toBe(expected.deprecated);
    expect(entry.security).toEqual(SECURITY[expected.auth]);
    expect(Object.hasOwn(entry.responses, "304")).toBe(expected.conditional);
  });

  test(`${id} takes the contract's query parameters, with their bounds, values and defaults`, () => {
    const named = Object.entries<object>(expected.query).filter(([name]) => !name.endsWith("[]"));
    // int64 tells the width of a client's integer, not which values are accepted.
    const plain = named.map(([name, schema]) => {
      const added = ADDED_VALUES[`${id} ${name}`];
      if (added !== undefined && "enum" in schema && Array.isArray(schema.enum))
        return [name, { ...schema, enum: [...schema.enum, ...added] }];
      if (REPEATABLE_PARAMETERS.includes(`${id} ${name}`)) return [name, repeatable(schema)];
      return [name, "format" in schema && schema.format === "int64" ? { ...schema, format: undefined } : schema];
    });
    const ours = Object.entries(parametersIn(operation, "query"));
    const added = ADDED_PARAMETERS[id] ?? [];
    expect(ours.map(([name]) => name)).toEqual(expect.arrayContaining([...added]));
    expect(Object.fromEntries(ours.filter(([name]) => !added.includes(name)))).toEqual(Object.fromEntries(plain));
  });

  test(`${id} takes the bracketed spelling of a list parameter exactly where the contract has it`, () => {
    const bracketed = Object.keys(expected.query).filter((name) => name.endsWith("[]"));
    const lists = Object.entries(parametersIn(operation, "query")).filter(
      ([name, schema]) =>
        Object(schema).type === "array" &&
        !REPEATABLE_PARAMETERS.includes(`${id} ${name}`) &&
        ADDED_PARAMETERS[id]?.includes(name) !== true,
    );
    expect(lists.map(([name]) => `${name}[]`)).toEqual(
      id === "getEventReplaySince" ? [BRACKETED_IN_A_NOTE] : bracketed,
    );
  });

  test(`${id} takes the contract's path parameters, or shorter ones`, () => {
    const ours = parametersIn(operation, "path");
    expect(Object.keys(ours)).toEqual(Object.keys(expected.path_params));
    expect(ours).toMatchObject(expected.path_params);
  });

  // Of operations of the website the contract has the names of the fields, but no envelope.
  if (expected.auth === "session")
    test(`${id} responds with the contract's status and fields`, () => {
      const [[status, success] = []] = Object.entries<Success>(expected.success);
      expect([operation.kind, String(successStatusOf(operation))]).toEqual(["single", status]);
      expect(dataFieldsOf(operation)).toEqual(expect.arrayContaining([...(success?.fields ?? [])]));
      const beside = operation.kind === "single" ? Object.keys(operation.topLevel ?? {}) : [];
      expect(beside).toEqual(expect.arrayContaining(Object.keys(success?.extra_top_level ?? {})));
    });
  else
    test(`${id} responds with the contract's status, envelope and fields beside the data`, () => {
      // A submit has two entries: of a new job, and of one that is there already.
      const entries = Object.entries<Success>(expected.success);
      const [status, success] =
        entries.find(([candidate]) => candidate === String(successStatusOf(operation))) ?? entries[0] ?? [];
      const ours =
        operation.kind === "retired"
          ? { status: undefined, object: undefined, list: undefined }
          : operation.kind === "redirect"
            ? { status: String(operation.status), object: null, list: false }
            : operation.kind === "text" || operation.kind === "stream"
              ? { status: "200", object: null, list: false }
              : {
                  status: String((operation.kind === "single" ? operation.successStatus : undefined) ?? 200),
                  object: operation.kind === "list" ? "list" : operation.object,
                  list:
                    operation.kind === "list" ||
                    operation.batchUnits !== undefined ||
                    operation.data.def.type === "array",
                };
      expect(ours).toEqual({ status, object: success?.object, list: success?.list });
      const topLevel = operation.kind === "list" ? Object.keys(operation.topLevel ?? {}) : [];
      const ofVariants = Object.values(success?.variants ?? {}).flatMap((name) => Object.keys(propertiesOf(name)));
      expect([...Object.keys(success?.extra_top_level ?? {}), ...ofVariants]).toEqual(expect.arrayContaining(topLevel));
    });

  test(`${id} fails in the ways that the contract lists for it`, () => {
    const listed = Object.values<readonly string[]>(expected.errors).flat();
    // No request of a retired operation reads a list or misses an object: its `not_found` is the status 410.
    const own =
      operation.kind === "retired"
        ? []
        : ["cursor_expired", "not_found", "freshness_ceiling_unsatisfied", "read_model_warming"];
    expect(operation.reasons).toEqual(expect.arrayContaining(listed.filter((reason) => own.includes(reason))));
    const statuses = operation.reasons.map((reason) => String(ERRORS[reason].status));
    // The contract leaves out that the store of credentials can be unavailable.
    const unlisted = operation.reasons.includes("credential_store_unavailable") ? ["503"] : [];
    expect([...Object.keys(expected.errors), ...unlisted]).toEqual(expect.arrayContaining(statuses));
  });
});

// The contract does not fix the prefixes of other lists.
test.each([
  ["listLeaderboard", "lbv1_"],
  ["listLargeTradeHistory", "wth_"],
  ["listWhaleTradeHistory", "wth_"],
  ["listPreGameSideObservations", "seo_v2_"],
  ["listSportsEdgeObservations", "seo_v2_"],
])("%s issues cursors with the published prefix %s", (id, prefix) => {
  expect(OPERATIONS.find((operation) => operation.id === id)).toMatchObject({ cursor: { prefix } });
});
