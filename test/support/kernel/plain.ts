/** What a made-up operation has when a test does not care. */
export const PLAIN = {
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
