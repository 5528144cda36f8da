import { defineOperation } from "../../api/operation.ts";
import { DOCUMENT_CACHE_CONTROL } from "../../api/response/present-document.ts";
import { SYSTEM_OPERATION } from "./system-operation.ts";

export const redirectApiOpenapiSpec = defineOperation({
  ...SYSTEM_OPERATION,
  kind: "redirect",
  id: "redirectApiOpenapiSpec",
  method: "get",
  path: "/api/v1/openapi.json",
  summary: "Redirect to the OpenAPI document on the website.",
  description: "Returns 307 with the URL of the document in `Location`. The website serves the document itself.",
  status: 307,
  cacheControl: DOCUMENT_CACHE_CONTROL,
  target: { description: "The URL of the document.", example: "https://www.example.com/api/v1/openapi.json" },
  servesTarget: true,
  location: (_, { config }) => `${config.webBaseUrl}/api/v1/openapi.json`,
});
