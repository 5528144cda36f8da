/** Defaults for an invented operation, for fields that a test does not care about. */
export const PLAIN_OPERATION = {
  method: "get",
  tag: "Test",
  summary: "Stands in for an operation.",
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
} as const;
