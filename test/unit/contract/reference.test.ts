import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { cursorParam } from "../../../src/api/request/query-params.ts";
import { OPERATIONS } from "../../../src/operations/index.ts";

/*
 * The document is the reference: it describes everything that a client may send or receive, with valid
 * examples.
 */

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

interface Body {
  readonly description?: string;
  readonly headers?: Readonly<Record<string, { readonly description?: string }>>;
  readonly content?: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
}

interface DocumentOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: "path" | "query" | "header";
    readonly description?: string;
    readonly schema: Schema;
    readonly example?: unknown;
  }[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
}

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
  readonly webhooks?: Readonly<Record<string, { readonly post: DocumentOperation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
}

const [api, web] = ["openapi.txt", "web-openapi.txt"].map((file): OpenApiDocument =>
  JSON.parse(readFileSync(new URL(`../../../src/generated/${file}`, import.meta.url), "utf8")),
) as [OpenApiDocument, OpenApiDocument];

/** Both documents as one. They have no path in common, and a schema of one name is the same in both. */
const document = {
  paths: { ...api.paths, ...web.paths },
  webhooks: api.webhooks ?? {},
  components: { schemas: { ...api.components.schemas, ...web.components.schemas } },
  tags: [...api.tags, ...web.tags],
};

const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const posts = Object.values(document.webhooks).map(({ post }) => post);
const components = Object.entries(document.components.schemas);

const ajv = new Ajv2020({ strict: false, allErrors: true });
// The package is CommonJS: its callable default sits one level deeper for TypeScript.
(addFormats as unknown as (target: Ajv2020) => void)(ajv);
ajv.addSchema({ ...document, $id: "document" });

/** By the schema's text: many schemas are repeated, and a compilation takes milliseconds. */
const validators = new Map<string, ValidateFunction>();

/** The differences between a value and a schema of the document. */
function departures(schema: Schema, value: unknown): string[] {
  const text = JSON.stringify(schema).replaceAll('"#/', '"document#/');
  const validate = validators.get(text) ?? ajv.compile(JSON.parse(text));
  validators.set(text, validate);
  validate(value);
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

/**
 * A schema and all schemas within it, each with the path of its field. References are not followed: their
 * targets are among the components.
 */
function* schemasIn(schema: Schema, path: string): Generator<{ path: string; schema: Schema; isField: boolean }> {
  yield { path, schema, isField: false };
  for (const part of [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])])
    yield* schemasIn(part, path);
  if (schema.items !== undefined) yield* schemasIn(schema.items, `${path}[]`);
  if (typeof schema.additionalProperties === "object") yield* schemasIn(schema.additionalProperties, `${path}{}`);
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    yield { path: `${path}.${name}`, schema: field, isField: true };
    yield* schemasIn(field, `${path}.${name}`);
  }
}

/** All request and response bodies, each with a name for failure messages. */
const bodiesOf = ({ operationId, requestBody, responses }: DocumentOperation) =>
  [...(requestBody === undefined ? [] : [["request", requestBody] as const]), ...Object.entries(responses)].flatMap(
    ([name, body]) =>
      Object.values(body.content ?? {}).map((content) => ({ name: `${operationId} ${name}`, ...content })),
  );

const everySchema = [
  ...components.flatMap(([name, schema]) => [...schemasIn(schema, name)]),
  ...[...operations, ...posts].flatMap((operation) =>
    bodiesOf(operation).flatMap(({ name, schema }) => [...schemasIn(schema, name)]),
  ),
];

const hasText = (text: string | undefined): boolean => (text ?? "").trim() !== "";

test("both documents have the same schemas under the same names", () => {
  const shared = Object.keys(web.components.schemas).filter((name) => name in api.components.schemas);
  expect(shared).toEqual(expect.arrayContaining(["Error", "ResponseMeta"]));
  for (const name of shared) expect(web.components.schemas[name]).toEqual(api.components.schemas[name]);
  expect(Object.keys(web.paths).filter((path) => path in api.paths)).toEqual([]);
});

test("every tag and named schema has a description", () => {
  expect(document.tags.filter(({ description }) => !hasText(description)).map(({ name }) => name)).toEqual([]);
  expect(components.filter(([, { description }]) => !hasText(description)).map(([name]) => name)).toEqual([]);
});

test("every field of every request and response has a description or a reference to a named schema", () => {
  const fields = everySchema.filter(({ isField }) => isField);
  expect(fields.length).toBeGreaterThan(500);
  const silent = fields.filter(({ schema }) => schema.$ref === undefined && !hasText(schema.description));
  expect(silent.map(({ path }) => path)).toEqual([]);
});

describe("units of fields", () => {
  const fields = everySchema.filter(({ isField }) => isField);
  const nameOf = (path: string) => path.slice(path.lastIndexOf(".") + 1);
  /** The schemas of a value: the field's own, or its alternatives. */
  const formsOf = (schema: Schema): readonly Schema[] => [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const named = (suffix: RegExp) =>
    fields.filter(({ path, schema }) => suffix.test(nameOf(path)) && schema.$ref === undefined);
  const isNumber = ({ type }: Schema) => [type].flat().some((one) => one === "number" || one === "integer");
  /** Names of the fields with this suffix that have no such form. */
  const without = (suffix: RegExp, isMeant: (form: Schema) => boolean) => [
    ...new Set(
      named(suffix)
        .filter(({ schema }) => !formsOf(schema).some(isMeant))
        .map(({ path }) => nameOf(path)),
    ),
  ];

  test("every field with a unit in its name is a number, except exact decimals", () => {
    const unit = /_(usd|pct|pp|bps|ms|s|seconds|days|hours)$/;
    expect(named(unit).length).toBeGreaterThan(50);
    const exact = ["share_pct", "min_size_usd", "size_usd"];
    expect(without(unit, isNumber).toSorted()).toEqual(exact.toSorted());
  });

  test("every field of an instant has the format date-time, except the Unix seconds of budgets", () => {
    expect(named(/_at$/).length).toBeGreaterThan(50);
    expect(without(/_at$/, ({ format }) => format === "date-time")).toEqual(["reset_at"]);
    expect(without(/^reset_at$/, isNumber)).toEqual([]);
  });
});

test("every example of a schema matches the schema", () => {
  const wrong = everySchema.flatMap(({ path, schema }) =>
    (schema.examples ?? []).flatMap((example) =>
      departures(schema, example).map((departure) => `${path}: ${departure}`),
    ),
  );
  expect(wrong).toEqual([]);
});

describe.each([...operations, ...posts].map((operation) => [operation.operationId, operation] as const))(
  "%s",
  (id, documented) => {
    const declared = OPERATIONS.find((operation) => operation.id === id);

    test(`${id} is described, and so is each of its responses`, () => {
      expect(hasText(documented.summary)).toBe(true);
      expect(hasText(documented.description)).toBe(true);
      const answers = Object.entries(documented.responses);
      expect(answers.filter(([, { description }]) => !hasText(description))).toEqual([]);
      const headers = answers.flatMap(([, body]) => Object.entries(body.headers ?? {}));
      expect(headers.filter(([, { description }]) => !hasText(description))).toEqual([]);
    });

    test(`${id} has a description and a valid example of each parameter`, () => {
      for (const { name, description, schema, example } of documented.parameters) {
        expect([name, hasText(description)]).toEqual([name, true]);
        expect([name, example === undefined]).toEqual([name, false]);
        expect([name, departures(schema, example)]).toEqual([name, []]);
      }
    });

    test(`${id} accepts the examples of its parameters`, () => {
      for (const { name, in: location, example } of documented.parameters.filter(
        (parameter) => parameter.in !== "header",
      )) {
        const param = location === "path" ? declared?.params[name] : (declared?.query[name] ?? cursorParam(""));
        const sent = location === "path" ? example : [example].flat().map(String);
        expect([name, param?.safeParse(sent).success]).toEqual([name, true]);
      }
    });

    test(`${id} has valid examples of its request and response bodies`, () => {
      const [success] = Object.entries(documented.responses).filter(([status]) => status.startsWith("2"));
      const bodies = bodiesOf({ ...documented, responses: Object.fromEntries(success === undefined ? [] : [success]) });
      for (const { name, schema, example } of bodies) {
        expect([name, example === undefined]).toEqual([name, false]);
        expect([name, departures(schema, example)]).toEqual([name, []]);
      }
    });
  },
);
