import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { ADDED_FIELDS, NULLED_FIELDS } from "./additions.ts";
import contract from "./contract.json" with { type: "json" };
import { unnamedFields, type ContractSchema } from "./unnamed-fields.ts";

const ajv = new Ajv2020({ strict: false, allErrors: true, verbose: true });
// The package is CommonJS: its callable default sits one level deeper for TypeScript.
(addFormats as unknown as (target: Ajv2020) => void)(ajv);
ajv.addSchema({ $id: "contract", schemas: contract.schemas });

const validators = new Map<string, ValidateFunction>();

/**
 * Lists every difference between a value and a named schema of the contract: schema errors, and fields that
 * no schema names. An empty list means that the value matches. `meta` may carry more fields, because the
 * contract lets operations add to it; our own additions are known and left out.
 */
export function departures(schemaName: string, value: unknown): string[] {
  const validate = validators.get(schemaName) ?? ajv.compile({ $ref: `contract#/schemas/${schemaName}` });
  validators.set(schemaName, validate);
  validate(value);
  const refused = (validate.errors ?? [])
    .filter((error) => !isNulled(error))
    .map((error) => `${error.instancePath} ${error.message}`);
  // The file is JSON of a known structure; its inferred type consists of thousands of literals.
  const schemas = contract.schemas as unknown as Record<string, ContractSchema>;
  const unnamed = unnamedFields({ $ref: `#/schemas/${schemaName}` }, value, schemas);
  return [...refused, ...unnamed.filter((path) => !path.startsWith("/meta/") && !isAdded(path))];
}

const isNulled = ({ instancePath, data }: ErrorObject): boolean =>
  data === null && NULLED_FIELDS.some((field) => field.test(instancePath));

const isAdded = (departure: string): boolean => ADDED_FIELDS.some((field) => field.test(departure.split(" ")[0] ?? ""));

/** The names under which webhooks can register events. */
export const CONTRACT_EVENT_NAMES: readonly string[] = contract.schemas.WebhookEventType.enum;

export type ContractOperation = (typeof contract.operations)[number];

/** @throws when the contract has no such operation */
export function contractOperation(operationId: string): ContractOperation {
  const operation = contract.operations.find((candidate) => candidate.operationId === operationId);
  if (operation === undefined) throw new Error(`the contract extract has no operation ${operationId}`);
  return operation;
}
