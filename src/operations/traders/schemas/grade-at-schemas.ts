import { z } from "zod";
import { GRADES } from "../../../domain/traders/grades.ts";
import { traderId, walletAddress } from "../../shared-fields.ts";

export const TraderGradeAt = z
  .object({
    id: traderId,
    address: walletAddress,
    as_of: z.iso.datetime().meta({ description: "The requested time, UTC." }),
    status: z.enum(["graded", "ungraded", "unknown"]).meta({
      description:
        "graded: the trader had a grade letter. ungraded: the trader was assessed and had no letter. " +
        "unknown: no recorded observation covers the time, because it is before the first observation, or " +
        "between the computation and the publication of a grade, when clients could read either grade.",
    }),
    grade: z
      .enum(GRADES)
      .nullable()
      .meta({ description: "The grade letter at that time, S best and F worst; null unless graded." }),
    available_from: z.iso
      .datetime()
      .nullable()
      .meta({ description: "Time from which the trader's grade is known, UTC; null when it has never been known." }),
    observation: z
      .object({
        id: z.int().meta({ description: "Number of the grade observation." }),
        previous_observation_id: z
          .int()
          .nullable()
          .meta({ description: "Number of the trader's previous observation; null for the first one." }),
        observed_at: z.iso
          .datetime()
          .meta({ description: "Time of the computation, UTC. The grade does not apply to earlier times." }),
        published_by: z.iso.datetime().meta({ description: "Latest time by which clients could read the grade, UTC." }),
        model_version: z
          .string()
          .nullable()
          .meta({ description: "Version of the grading method; null when not recorded." }),
        model_build_sha: z
          .string()
          .nullable()
          .meta({ description: "Always null, because the build that computed a grade is not recorded." }),
        source_observed_by: z.iso
          .datetime()
          .nullable()
          .meta({ description: "Time by which all input of the grade was recorded, UTC; null when unknown." }),
      })
      .nullable()
      .meta({ description: "The observation that applied at the time; null when the status is unknown." }),
  })
  .meta({
    id: "TraderGradeAt",
    description: "The published grade of one trader at one time.",
    examples: [
      {
        id: "trd_12",
        address: "0x0000000000000000000000000000000000000012",
        as_of: "2026-11-20T12:00:00.000Z",
        status: "graded",
        grade: "A",
        available_from: "2026-11-01T00:00:05.000Z",
        observation: {
          id: 812,
          previous_observation_id: 640,
          observed_at: "2026-11-19T08:15:00.000Z",
          published_by: "2026-11-19T08:15:00.250Z",
          model_version: "skill-1",
          model_build_sha: null,
          source_observed_by: "2026-11-19T08:15:00.000Z",
        },
      },
    ],
  });
