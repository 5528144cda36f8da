import { z } from "zod";
import { defineAlias, defineOperation } from "../../api/operation.ts";
import { SYSTEM_OPERATION } from "./system-operation.ts";

const PlatformCapabilityStatus = z.enum(["supported", "partial", "unsupported"]).meta({
  id: "PlatformCapabilityStatus",
  description: "supported: complete. partial: with gaps that the fields state. unsupported: not available.",
});

const capability = (description: string, example = "supported") =>
  PlatformCapabilityStatus.meta({ description, example });

const PlatformCapabilities = z
  .object({
    grade: capability("Letter grades and scores of traders."),
    pnl: capability(
      "Profit and loss of traders whose history in ordinary markets is known, excluding combinations of markets with unknown legs.",
      "partial",
    ),
    strategy: capability("How a trader trades."),
    timeline: capability("The fills of one trader's position in one market."),
    large_trades: capability("Large trades."),
    whale_signal: capability("Same value as large_trades, under the old name."),
    suspicious_trades: capability("Large trades that look informed."),
    insider_radar: capability("Same value as suspicious_trades, under the old name."),
    market_snapshot: capability("One market with the prices of its outcomes."),
  })
  .meta({ id: "PlatformCapabilities", description: "The capabilities for one provider." });

const Platforms = z
  .object({
    platforms: z
      .object({ polymarket: PlatformCapabilities })
      .meta({ description: "One entry per provider; this deployment reads one provider." }),
  })
  .meta({ id: "Platforms", description: "Capabilities by provider." });

/**
 * P&L is partial: it covers traders whose history in ordinary markets is known, and excludes combinations
 * and shares of unknown origin.
 */
const CAPABILITIES: z.output<typeof PlatformCapabilities> = {
  grade: "supported",
  pnl: "partial",
  strategy: "supported",
  timeline: "supported",
  large_trades: "supported",
  whale_signal: "supported",
  suspicious_trades: "supported",
  insider_radar: "supported",
  market_snapshot: "supported",
};

export const getCoverage = defineOperation({
  ...SYSTEM_OPERATION,
  kind: "single",
  id: "getCoverage",
  method: "get",
  path: "/api/v1/coverage",
  summary: "List the capabilities for each provider.",
  description: "Returns what this release supports for each provider. Needs no API key.",
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
