import { z } from "zod";
import { defineAlias, defineOperation } from "../../api/operation.ts";

const PlatformCapabilityStatus = z.enum(["supported", "partial", "unsupported"]).meta({ id: "PlatformCapabilityStatus" });

const PlatformCapabilities = z
  .object({
    grade: PlatformCapabilityStatus,
    pnl: PlatformCapabilityStatus,
    strategy: PlatformCapabilityStatus,
    timeline: PlatformCapabilityStatus,
    large_trades: PlatformCapabilityStatus,
    whale_signal: PlatformCapabilityStatus.meta({ description: "Old spelling of large_trades, same value." }),
    suspicious_trades: PlatformCapabilityStatus,
    insider_radar: PlatformCapabilityStatus.meta({ description: "Old spelling of suspicious_trades, same value." }),
    market_snapshot: PlatformCapabilityStatus,
  })
  .meta({ id: "PlatformCapabilities" });

const Platforms = z.object({ platforms: z.object({ polymarket: PlatformCapabilities }) }).meta({ id: "Platforms" });

/** What this release does. P&L is partial: realized only, and only of wallets whose whole history is known. */
const CAPABILITIES: z.output<typeof PlatformCapabilities> = {
  grade: "supported",
  pnl: "partial",
  strategy: "supported",
  timeline: "unsupported",
  large_trades: "supported",
  whale_signal: "supported",
  suspicious_trades: "unsupported",
  insider_radar: "unsupported",
  market_snapshot: "supported",
};

export const getCoverage = defineOperation({
  kind: "single",
  id: "getCoverage",
  method: "get",
  path: "/api/v1/coverage",
  tag: "System",
  summary: "List what is covered per platform.",
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
  object: "platforms",
  data: Platforms,
  handle: async () => ({ data: { platforms: { polymarket: CAPABILITIES } } }),
});

export const getPlatforms = defineAlias(getCoverage, {
  id: "getPlatforms",
  path: "/api/v1/platforms",
  mcpTool: "get_platforms",
  since: new Date("2026-11-01T00:00:00Z"),
  sunset: new Date("2028-11-01T00:00:00Z"),
});
