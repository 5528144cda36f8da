import { z } from "zod";

/** A job may have work. The consumer reads its state itself, so a message may arrive twice, late or without need. */
export const ExportMessage = z.object({ job_id: z.int().positive(), request_id: z.string().max(80).optional() });

export type ExportMessage = z.output<typeof ExportMessage>;
