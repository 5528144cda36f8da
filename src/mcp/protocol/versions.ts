/** Revisions that begin with `initialize`, newest first. */
export const LEGACY_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;
export type LegacyVersion = (typeof LEGACY_VERSIONS)[number];

/** The revision without a handshake, whose requests carry their own metadata. */
export const STATELESS_VERSION = "2026-07-28";

export const SUPPORTED_VERSIONS: readonly string[] = [STATELESS_VERSION, ...LEGACY_VERSIONS];

/** The revision of a request without `MCP-Protocol-Version`: the header is younger than this one. */
export const HEADERLESS_VERSION: LegacyVersion = "2025-03-26";

/** Later revisions have no batches. */
const WITH_BATCHES: readonly string[] = ["2025-03-26", "2024-11-05"];

export const hasBatches = (version: LegacyVersion): boolean => WITH_BATCHES.includes(version);

export const findLegacyVersion = (text: unknown): LegacyVersion | null =>
  LEGACY_VERSIONS.find((version) => version === text) ?? null;

/** The revision that `initialize` answers with: the requested one, or our newest with a handshake. */
export const negotiateVersion = (requested: string): LegacyVersion =>
  findLegacyVersion(requested) ?? LEGACY_VERSIONS[0];
