import { existsSync, readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { cursorParam } from "../../../src/api/params.ts";
import { OPERATIONS } from "../../../src/operations/index.ts";

/*
 * The document is the reference: whatever a client may send or is sent is explained in it, with an example that is right.
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

interface Documented {
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

const document: {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Documented>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Documented }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
} = JSON.parse(readFileSync(new URL("../../../src/generated/openapi.txt", import.meta.url), "utf8"));

const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const posts = Object.values(document.webhooks).map(({ post }) => post);
const components = Object.entries(document.components.schemas);

const ajv = new Ajv2020({ strict: false, allErrors: true });
// The package is CommonJS: its callable default sits one level deeper for TypeScript.
(addFormats as unknown as (target: Ajv2020) => void)(ajv);
ajv.addSchema({ ...document, $id: "document" });

/** In what a value departs from a schema of the document. */
function departures(schema: Schema, value: unknown): string[] {
  const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')));
  validate(value);
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

/** A schema and all within it, each with the path of its fields. References are not followed: what they name stands among the components. */
function* schemasIn(schema: Schema, path: string): Generator<{ path: string; schema: Schema; isField: boolean }> {
  yield { path, schema, isField: false };
  for (const part of [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) yield* schemasIn(part, path);
  if (schema.items !== undefined) yield* schemasIn(schema.items, `${path}[]`);
  if (typeof schema.additionalProperties === "object") yield* schemasIn(schema.additionalProperties, `${path}{}`);
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    yield { path: `${path}.${name}`, schema: field, isField: true };
    yield* schemasIn(field, `${path}.${name}`);
  }
}

/** What is sent and answered, each body with what it is called in a failure. */
const bodiesOf = ({ operationId, requestBody, responses }: Documented) =>
  [...(requestBody === undefined ? [] : [["request", requestBody] as const]), ...Object.entries(responses)].flatMap(([name, body]) =>
    Object.values(body.content ?? {}).map((content) => ({ name: `${operationId} ${name}`, ...content })),
  );

const everySchema = [
  ...components.flatMap(([name, schema]) => [...schemasIn(schema, name)]),
  ...[...operations, ...posts].flatMap((operation) => bodiesOf(operation).flatMap(({ name, schema }) => [...schemasIn(schema, name)])),
];

const isSentence = (text: string | undefined): boolean => /^\S.*\S[.:]$/s.test(text ?? "");

test("groups and named schemas are described", () => {
  expect(document.tags.filter(({ description }) => !isSentence(description)).map(({ name }) => name)).toEqual([]);
  expect(components.filter(([, { description }]) => !isSentence(description)).map(([name]) => name)).toEqual([]);
});

test("every field of every request and answer is described, or is a named schema, which is", () => {
  const fields = everySchema.filter(({ isField }) => isField);
  expect(fields.length).toBeGreaterThan(500);
  const silent = fields.filter(({ schema }) => schema.$ref === undefined && !isSentence(schema.description));
  expect(silent.map(({ path }) => path)).toEqual([]);
});

describe("what a field cannot show it says:", () => {
  const described = everySchema.filter(({ isField, schema }) => isField && schema.description !== undefined);
  /** A field's own types, or those of its alternatives. */
  const typesOf = ({ type, anyOf = [] }: Schema): unknown[] => [type, ...anyOf.map((part) => part.type)].flat();
  const silent = (isMeant: (schema: Schema) => boolean, words: RegExp) =>
    described.filter(({ schema }) => isMeant(schema) && !words.test(schema.description ?? "")).map(({ path }) => path);
  // A second name of a field sends to the first.
  const OTHER_NAME = "(?:old|another) name";

  test("what null means", () => {
    expect(silent((schema) => typesOf(schema).includes("null"), new RegExp(`\\bnull\\b|${OTHER_NAME}|^The same\\b`, "i"))).toEqual([]);
  });

  test("what a number counts", () => {
    const unit = "dollars|shares|percent|fraction|points|from 0 to 1|0 to 1\\b|pure number|seconds|days|0 to 100";
    expect(silent((schema) => typesOf(schema).includes("number"), new RegExp(`${unit}|${OTHER_NAME}`, "i"))).toEqual([]);
  });

  test("that a time is in UTC", () => {
    const isTime = (schema: Schema) => [schema, ...(schema.anyOf ?? [])].some(({ format }) => format === "date-time");
    expect(silent(isTime, new RegExp(`UTC|${OTHER_NAME}`))).toEqual([]);
  });
});

test("every example of a schema fits it", () => {
  const wrong = everySchema.flatMap(({ path, schema }) =>
    (schema.examples ?? []).flatMap((example) => departures(schema, example).map((departure) => `${path}: ${departure}`)),
  );
  expect(wrong).toEqual([]);
});

describe.each([...operations, ...posts].map((operation) => [operation.operationId, operation] as const))("%s", (id, documented) => {
  const declared = OPERATIONS.find((operation) => operation.id === id);

  test("is described, and so is each of its answers", () => {
    expect(isSentence(documented.summary)).toBe(true);
    expect(isSentence(documented.description)).toBe(true);
    const answers = Object.entries(documented.responses);
    expect(answers.filter(([, { description }]) => !isSentence(description))).toEqual([]);
    const headers = answers.flatMap(([, body]) => Object.entries(body.headers ?? {}));
    expect(headers.filter(([, { description }]) => !isSentence(description))).toEqual([]);
  });

  test("has a description and a fitting example of each of its parameters", () => {
    for (const { name, description, schema, example } of documented.parameters) {
      expect([name, isSentence(description)]).toEqual([name, true]);
      expect([name, example === undefined]).toEqual([name, false]);
      expect([name, departures(schema, example)]).toEqual([name, []]);
    }
  });

  test("takes the examples of its parameters", () => {
    for (const { name, in: place, example } of documented.parameters.filter((parameter) => parameter.in !== "header")) {
      const param = place === "path" ? declared?.params[name] : (declared?.query[name] ?? cursorParam(""));
      const sent = place === "path" ? example : [example].flat().map(String);
      expect([name, param?.safeParse(sent).success]).toEqual([name, true]);
    }
  });

  test("shows an example of what it is sent and of what it answers", () => {
    const [success] = Object.entries(documented.responses).filter(([status]) => status.startsWith("2"));
    const bodies = bodiesOf({ ...documented, responses: Object.fromEntries(success === undefined ? [] : [success]) });
    for (const { name, schema, example } of bodies) {
      expect([name, example === undefined]).toEqual([name, false]);
      expect([name, departures(schema, example)]).toEqual([name, []]);
    }
  });
});

/** The contract, where it lies beside the repository. */
const CONTRACT = new URL("../../../../shared/contract/", import.meta.url).pathname;
const LEAST_WORDS = 6;

test.runIf(existsSync(CONTRACT))("nothing is explained in the contract's words", () => {
  const wordsOf = (text: string) =>
    ` ${
      text
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu)
        ?.join(" ") ?? ""
    } `;
  const theirs = ["operations.json", "schemas.json", "rules.md"].map((file) => wordsOf(readFileSync(CONTRACT + file, "utf8"))).join("|");
  const said = [
    ...everySchema.flatMap(({ schema }) => schema.description ?? []),
    ...[...operations, ...posts].flatMap(({ summary, description, parameters }) => [
      summary,
      description,
      ...parameters.map((p) => p.description),
    ]),
  ];
  const sentences = new Set(said.flatMap((text) => (text ?? "").split(/[.:;]\s/)).map(wordsOf));
  const long = [...sentences].filter((sentence) => sentence.trim().split(" ").length >= LEAST_WORDS);
  expect(long.length).toBeGreaterThan(300);
  expect(long.filter((sentence) => theirs.includes(sentence))).toEqual([]);
});
