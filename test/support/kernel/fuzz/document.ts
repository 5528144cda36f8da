import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import apiText from "../../../../src/generated/openapi.txt";
import webText from "../../../../src/generated/web-openapi.txt";

export interface DocumentSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly DocumentSchema[];
  readonly oneOf?: readonly DocumentSchema[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: DocumentSchema;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, DocumentSchema>>;
  readonly required?: readonly string[];
}

interface Content {
  readonly content?: {
    readonly "application/json"?: { readonly schema: DocumentSchema };
    readonly "text/markdown"?: { readonly schema: DocumentSchema };
  };
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly schema: DocumentSchema;
}

export interface DocumentedOperation {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

interface OpenApiDocument {
  readonly components: { readonly schemas: Readonly<Record<string, DocumentSchema>> };
  /** By path, then by method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
}

// The documents as they are served. Our own build wrote them, and the linter has checked them.
const api = JSON.parse(apiText) as OpenApiDocument;
const web = JSON.parse(webText) as OpenApiDocument;

/** Both documents as one. They have no path in common, and a schema of one name is the same in both. */
export const DOCUMENT: OpenApiDocument = {
  paths: { ...api.paths, ...web.paths },
  components: { schemas: { ...api.components.schemas, ...web.components.schemas } },
};

/** Whether an operation takes a session: the website's origin alone serves it. */
export const takesSession = ({ security }: DocumentedOperation): boolean =>
  security.some((scheme) => "session" in scheme);

const ajv = new Ajv2020({ strict: false, allErrors: true });
// The package is CommonJS: its callable default sits one level deeper for TypeScript.
(addFormats as unknown as (target: Ajv2020) => void)(ajv);
ajv.addSchema({ ...DOCUMENT, $id: "document" });

const validators = new Map<DocumentSchema, ValidateFunction>();

/** The differences between a body and a schema of the document. */
export function departuresFrom(schema: DocumentSchema, body: unknown): string[] {
  const validate =
    validators.get(schema) ?? ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')));
  validators.set(schema, validate);
  validate(body);
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

const routes = Object.keys(DOCUMENT.paths)
  // A fixed segment wins over a parameter.
  .toSorted((a, b) => a.split("{").length - b.split("{").length)
  .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`) }));

/** The operations of a request's path by method; null when the document has no such path. */
export function operationsAt(pathname: string): Readonly<Record<string, DocumentedOperation>> | null {
  const route = routes.find(({ pattern }) => pattern.test(pathname));
  return route === undefined ? null : (DOCUMENT.paths[route.path] ?? null);
}
