import { z } from "zod";

const Status = z.enum(["fresh", "partial", "unknown", "untracked", "unavailable"]);

export const DataQualityGroup = z
  .object({
    group: z.string().meta({
      description:
        "Name of a group of fields that share one timestamp. Existing names do not change; new groups may be added.",
      example: "sync",
    }),
    owner: z
      .string()
      .meta({ description: "Table and column that the fields come from.", example: "trader_syncs.complete_at" }),
    status: Status.meta({
      description:
        "fresh: complete, with the time in as_of. partial: a part is missing. unknown: present, but without a " +
        "timestamp. untracked: the group has no single timestamp by design. unavailable: not present.",
      example: "fresh",
    }),
    as_of: z.iso.datetime().optional().meta({
      description: "Time that the fields describe, UTC; never the time of this response. Left out without a timestamp.",
      example: "2026-11-20T12:00:00.000Z",
    }),
    reason: z.string().optional().meta({
      description: "Reason for the status, as text. Left out when fresh.",
      example: "the wallet's history is still being read",
    }),
  })
  .meta({
    id: "DataQualityGroup",
    description: "Age and completeness of a group of fields.",
    examples: [
      { group: "sync", owner: "trader_syncs.complete_at", status: "fresh", as_of: "2026-11-20T12:00:00.000Z" },
    ],
  });

export type DataQualityGroup = z.input<typeof DataQualityGroup>;

export const DataQuality = z
  .object({
    status: Status.meta({
      description:
        "fresh: all groups are fresh. unavailable: all groups are unavailable. partial: any other combination. " +
        "Untracked groups are ignored.",
      example: "fresh",
    }),
    as_of: z.iso.datetime().optional().meta({
      description: "Oldest as_of of all groups, UTC. Left out when no group has one.",
      example: "2026-11-20T12:00:00.000Z",
    }),
    field_groups: z.array(DataQualityGroup).meta({ description: "Quality of each group of fields." }),
  })
  .meta({ id: "DataQuality", description: "Age and completeness of the response." });

/** Quality of a response from the quality of its groups. Groups that are untracked by design are ignored. */
export function summarizeQuality(groups: DataQualityGroup[]): z.input<typeof DataQuality> {
  const tracked = groups.filter((group) => group.status !== "untracked");
  const every = (status: DataQualityGroup["status"]) =>
    tracked.length > 0 && tracked.every((group) => group.status === status);
  const clocks = groups.flatMap((group) => group.as_of ?? []).toSorted();
  return {
    status: every("fresh") ? "fresh" : every("unavailable") ? "unavailable" : "partial",
    ...(clocks[0] === undefined ? {} : { as_of: clocks[0] }),
    field_groups: groups,
  };
}
