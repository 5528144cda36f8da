import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ERRORS } from "../../../src/api/errors.ts";
import type { Operation } from "../../../src/api/operation.ts";
import { OPERATIONS } from "../../../src/operations/index.ts";
import { ADDITIONS } from "../../contract/additions.ts";
import contract from "../../contract/contract.json" with { type: "json" };
import { contractOperation } from "../../contract/contract.ts";

/** What clients read of an operation's parameters: the generated document, not the code it was generated from. */
interface Documented {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
  readonly security: readonly unknown[];
  readonly parameters: readonly { name: string; in: string; required: boolean; schema: Record<string, unknown> }[];
  readonly responses: Readonly<Record<string, unknown>>;
}

const document: { paths: Record<string, Record<string, Documented>> } = JSON.parse(
  readFileSync(new URL("../../../src/generated/openapi.txt", import.meta.url), "utf8"),
);

function documented(operation: Operation): Documented {
  const entry = document.paths[operation.path]?.[operation.method];
  if (entry === undefined) throw new Error(`${operation.path} is not in the document`);
  return entry;
}

/** Name, whether it must be given, and the schema without its words, of every parameter in a place. */
function parametersIn(operation: Operation, place: "path" | "query"): Record<string, unknown> {
  const found = documented(operation).parameters.filter((parameter) => parameter.in === place);
  return Object.fromEntries(found.map(({ name, required, schema: { description: _, ...schema } }) => [name, { ...schema, required }]));
}

const CONTRACTED = OPERATIONS.filter(({ id }) => !ADDITIONS.includes(id));

test("the registry has the operations of the contract's extract, each once, and no other but the additions to it", () => {
  expect(OPERATIONS.map(({ id }) => id)).toEqual(expect.arrayContaining([...ADDITIONS]));
  expect(CONTRACTED.map(({ id }) => id).toSorted()).toEqual(contract.operations.map(({ operationId }) => operationId).toSorted());
});

test("the document has the operations of the registry and no other", () => {
  const routes = Object.entries(document.paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`));
  expect(routes.toSorted()).toEqual(OPERATIONS.map(({ method, path }) => `${method} ${path}`).toSorted());
});

/** Of one operation the contract takes the bracketed spelling in a remark, which the extract does not have. */
const BRACKETED_IN_A_NOTE = "expand[]";

describe.each(CONTRACTED.map((operation) => [operation.id, operation] as const))("%s", (id, operation) => {
  const expected = contractOperation(id);

  test("has the contract's route, group, access, scope, plan and cost", () => {
    expect(operation).toMatchObject({
      method: expected.method.toLowerCase(),
      path: expected.path,
      tag: expected.tag,
      access: expected.auth,
      scope: expected.scope,
      plan: expected.plan,
      // Where the contract publishes no cost, it is 1.
      cost: expected.cost ?? 1,
    });
  });

  test("has the contract's tool name, deprecation and conditional answers", () => {
    expect(operation).toMatchObject({ mcpTool: expected.mcp_tool, conditional: expected.conditional });
    expect(operation.alias?.of ?? null).toBe(expected.alias_of);
    expect(operation.alias !== undefined).toBe(expected.deprecated);
  });

  test("is documented as it is declared", () => {
    const entry = documented(operation);
    expect(entry).toMatchObject({ operationId: id, tags: [expected.tag] });
    expect(entry.deprecated ?? false).toBe(expected.deprecated);
    expect(entry.security).toEqual(expected.auth === "key" ? [{ bearer: [] }] : []);
    expect(Object.hasOwn(entry.responses, "304")).toBe(expected.conditional);
  });

  test("takes the contract's query parameters, with their bounds, values and defaults", () => {
    const named = Object.entries<object>(expected.query).filter(([name]) => !name.endsWith("[]"));
    // int64 says how wide a client's integer must be, not what is accepted.
    const plain = named.map(([name, schema]) => [
      name,
      "format" in schema && schema.format === "int64" ? { ...schema, format: undefined } : schema,
    ]);
    expect(parametersIn(operation, "query")).toEqual(Object.fromEntries(plain));
  });

  test("takes the bracketed spelling of a list parameter exactly where the contract has it", () => {
    const bracketed = Object.keys(expected.query).filter((name) => name.endsWith("[]"));
    const lists = Object.entries(parametersIn(operation, "query")).filter(([, schema]) => Object(schema).type === "array");
    expect(lists.map(([name]) => `${name}[]`)).toEqual(id === "getEventReplaySince" ? [BRACKETED_IN_A_NOTE] : bracketed);
  });

  test("takes the contract's path parameters, at most shorter ones", () => {
    const ours = parametersIn(operation, "path");
    expect(Object.keys(ours)).toEqual(Object.keys(expected.path_params));
    expect(ours).toMatchObject(expected.path_params);
  });

  test("answers with the contract's status, envelope and fields beside the data", () => {
    const [[status, success] = []] = Object.entries<{ object: string | null; list: boolean; extra_top_level: object }>(expected.success);
    const ours =
      operation.kind === "redirect"
        ? { status: String(operation.status), object: null, list: false }
        : operation.kind === "text" || operation.kind === "stream"
          ? { status: "200", object: null, list: false }
          : {
              status: String((operation.kind === "single" ? operation.successStatus : undefined) ?? 200),
              object: operation.kind === "list" ? "list" : operation.object,
              list: operation.kind === "list" || operation.batchUnits !== undefined || operation.data.def.type === "array",
            };
    expect(ours).toEqual({ status, object: success?.object, list: success?.list });
    const beside = operation.kind === "list" ? Object.keys(operation.topLevel ?? {}) : [];
    expect(Object.keys(success?.extra_top_level ?? {})).toEqual(expect.arrayContaining(beside));
  });

  test("fails in the ways the contract lists for it", () => {
    const listed = Object.values<readonly string[]>(expected.errors).flat();
    const own = ["cursor_expired", "not_found", "freshness_ceiling_unsatisfied", "read_model_warming"];
    expect(operation.reasons).toEqual(expect.arrayContaining(listed.filter((reason) => own.includes(reason))));
    const statuses = operation.reasons.map((reason) => String(ERRORS[reason].status));
    expect(Object.keys(expected.errors)).toEqual(expect.arrayContaining(statuses));
  });
});

// The prefixes of other lists are ours to choose.
test.each([
  ["listLeaderboard", "lbv1_"],
  ["listLargeTradeHistory", "wth_"],
  ["listWhaleTradeHistory", "wth_"],
])("%s gives cursors with the published prefix %s", (id, prefix) => {
  expect(OPERATIONS.find((operation) => operation.id === id)).toMatchObject({ cursor: { prefix } });
});
