/** What all operations on webhooks have in common. */
export const WEBHOOK_OPERATION = {
  tag: "Webhooks",
  access: "key",
  scope: "webhooks",
  plan: "pro",
  cost: 1,
  query: {},
  conditional: false,
  cacheSeconds: 0,
  mcpTool: null,
} as const;
