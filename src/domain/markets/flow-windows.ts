/** The windows of money flow, in hours. */
export const FLOW_WINDOW_HOURS = { "1h": 1, "4h": 4, "24h": 24, "7d": 168 } as const;

export type FlowWindow = keyof typeof FLOW_WINDOW_HOURS;

export const FLOW_WINDOWS: readonly FlowWindow[] = ["1h", "4h", "24h", "7d"];
