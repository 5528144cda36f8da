import type { Operation } from "../../src/api/operation.ts";
import { renderTypes } from "../client-types/render-types.ts";
import { clientDocumentOf } from "./client-document.ts";
import { renderErrorClasses } from "./error-classes.ts";
import { renderOperationTable } from "./operation-table.ts";

/** The generated files of src/client, by name. @param document the API document */
export async function buildClientFiles(
  operations: readonly Operation[],
  document: string,
): Promise<Record<string, string>> {
  return {
    "openapi-types.ts": await renderTypes(clientDocumentOf(document)),
    "operation-table.ts": renderOperationTable(operations, document),
    "error-classes.ts": renderErrorClasses(),
  };
}
