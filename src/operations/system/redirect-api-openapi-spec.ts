import { defineOperation } from "../../api/operation.ts";

export const redirectApiOpenapiSpec = defineOperation({
  kind: "redirect",
  id: "redirectApiOpenapiSpec",
  method: "get",
  path: "/api/v1/openapi.json",
  tag: "System",
  summary: "Redirect to the OpenAPI document on the web origin.",
  description: "Answers 307 with the document's address in Location; the document itself is on the website's origin.",
  access: "public",
  scope: null,
  plan: null,
  cost: 1,
  params: {},
  query: {},
  reasons: [],
  conditional: false,
  cacheSeconds: 0,
  mcpTool: null,
  status: 307,
  location: ({ config }) => `${config.webBaseUrl}/api/v1/openapi.json`,
});
