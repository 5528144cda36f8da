import { z } from "zod";
import { defineAlias, defineOperation } from "../../api/operation.ts";
import { SYSTEM_OPERATION } from "./system-operation.ts";

const PlatformCapabilityStatus = z.enum(["supported", "partial", "unsupported"]).meta({
  id: "PlatformCapabilityStatus",
  description: "supported: whole. partial: with gaps that its fields tell of. unsupported: not there.",
});

const capability = (description: string, example = "supported") => PlatformCapabilityStatus.meta({ description, example });

const PlatformCapabilities = z
  .object({
    grade: capability("Letter grades and scores of wallets."),
    pnl: capability(
      "Profit and loss of wallets; of those alone whose history in ordinary markets is known, and without combinations of markets.",
      "partial",
    ),
    strategy: capability("How a wallet trades."),
    timeline: capability("How one wallet's position in one market came about."),
    large_trades: capability("Large trades."),
    whale_signal: capability("The value of large_trades under its old name."),
    suspicious_trades: capability("Large trades that look as if somebody knew more."),
    insider_radar: capability("The value of suspicious_trades under its old name."),
    market_snapshot: capability("One market with its outcomes' prices."),
  })
  .meta({ id: "PlatformCapabilities", description: "What is answered for one provider." });

const Platforms = z
  .object({
    platforms: z.object({ polymarket: PlatformCapabilities }).meta({ description: "One entry a provider; this deployment reads one." }),
  })
  .meta({ id: "Platforms", description: "What is covered." });

/** What this release does. P&L is partial: it is of wallets whose history in ordinary markets is known, and leaves out combinations and shares of unknown origin. */
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
  summary: "List what is covered per platform.",
  description: "What this release answers for each provider it reads, without a key.",
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
