import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";

/*
 * A workspace of its own: openapi-typescript works on the compiler API of TypeScript 5, which the TypeScript of this
 * repository no longer has.
 */

/** The types of an OpenAPI document. */
export async function renderTypes(document: object): Promise<string> {
  // A member with a default can be left out.
  // The cast holds because Redocly lints the document; the type of the parameter describes OpenAPI 3.1 less exactly.
  return astToString(await openapiTS(document as OpenAPI3, { defaultNonNullable: false }));
}
