import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import text from "../../../../src/generated/openapi.txt";

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Content {
  readonly content?: { readonly "application/json"?: { readonly schema: Schema }; readonly "text/markdown"?: { readonly schema: Schema } };
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly schema: Schema;
}

export interface DocumentedOperation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

interface OpenApiDocument {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  /** By path, then by method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
}

/** The document as it is served. Our own build wrote it, and the linter has read it. */
export const DOCUMENT = JSON.parse(text) as OpenApiDocument;

const ajv = new Ajv2020({ strict: false, allErrors: true });
// The package is CommonJS: its callable default sits one level deeper for TypeScript.
(addFormats as unknown as (target: Ajv2020) => void)(ajv);
ajv.addSchema({ ...DOCUMENT, $id: "document" });

const validators = new Map<Schema, ValidateFunction>();

/** In what a body departs from a schema of the document. */
export function departuresFrom(schema: Schema, body: unknown): string[] {
  const validate = validators.get(schema) ?? ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')));
  validators.set(schema, validate);
  validate(body);
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

const routes = Object.keys(DOCUMENT.paths)
  // A fixed segment wins over a parameter.
  .toSorted((a, b) => a.split("{").length - b.split("{").length)
  .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`) }));

/** The operations at a request's path by their methods; null when the document has no such path. */
export function operationsAt(pathname: string): Readonly<Record<string, DocumentedOperation>> | null {
  const route = routes.find(({ pattern }) => pattern.test(pathname));
  return route === undefined ? null : (DOCUMENT.paths[route.path] ?? null);
}
