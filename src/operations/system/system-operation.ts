/** Settings shared by all operations about the service itself. */
export const SYSTEM_OPERATION = {
  tag: "System",
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
