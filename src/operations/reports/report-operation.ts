import { ReportSnapshot } from "./schemas.ts";

/** Settings shared by all operations that return a report. */
export const REPORT_OPERATION = {
  kind: "single",
  method: "get",
  tag: "Reports",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {},
  reasons: [],
  conditional: false,
  cacheTags: ["reports"],
  staleWhileRevalidate: true,
  object: "report_snapshot",
  data: ReportSnapshot,
} as const;
