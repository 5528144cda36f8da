import { z } from "zod";

const Status = z.enum(["fresh", "partial", "unknown", "untracked", "unavailable"]);

export const DataQualityGroup = z
  .object({
    group: z
      .string()
      .meta({ description: "Name of a group of fields that share a clock. Names stay; new ones may come.", example: "sync" }),
    owner: z.string().meta({ description: "The table and column that the fields come from.", example: "wallet_syncs.complete_at" }),
    status: Status.meta({
      description:
        "fresh: whole, with the clock in as_of. partial: a part is missing. unknown: there, but without a clock. untracked: has no single clock by its nature. unavailable: not there.",
      example: "fresh",
    }),
    as_of: z.iso.datetime().optional().meta({
      description: "The time the fields are of, UTC; never when this answer was made. Left out without a clock.",
      example: "2026-11-20T12:00:00.000Z",
    }),
    reason: z.string().optional().meta({
      description: "Why the status is what it is, in words. Left out when fresh.",
      example: "the wallet's history is still being read",
    }),
  })
  .meta({
    id: "DataQualityGroup",
    description: "How old and whole a group of fields is.",
    examples: [{ group: "sync", owner: "wallet_syncs.complete_at", status: "fresh", as_of: "2026-11-20T12:00:00.000Z" }],
  });

export type DataQualityGroup = z.input<typeof DataQualityGroup>;

export const DataQuality = z
  .object({
    status: Status.meta({
      description: "fresh when all groups are, unavailable when all are, else partial. Groups that are untracked do not count.",
      example: "fresh",
    }),
    as_of: z.iso.datetime().optional().meta({
      description: "The oldest clock among the groups, UTC. Left out when none has one.",
      example: "2026-11-20T12:00:00.000Z",
    }),
    field_groups: z.array(DataQualityGroup).meta({ description: "The same for each group of fields." }),
  })
  .meta({ id: "DataQuality", description: "How old and whole the answer is." });

/** The summary over groups. What is untracked by design does not count against an answer. */
export function summarizeQuality(groups: DataQualityGroup[]): z.input<typeof DataQuality> {
  const judged = groups.filter((group) => group.status !== "untracked");
  const every = (status: DataQualityGroup["status"]) => judged.length > 0 && judged.every((group) => group.status === status);
  const clocks = groups.flatMap((group) => group.as_of ?? []).toSorted();
  return {
    status: every("fresh") ? "fresh" : every("unavailable") ? "unavailable" : "partial",
    ...(clocks[0] === undefined ? {} : { as_of: clocks[0] }),
    field_groups: groups,
  };
}
