import { z } from "zod";
import { ApiError } from "../../api/errors.ts";

const Id = z
  .string()
  .regex(/^[1-9]\d{0,15}$/)
  .transform(Number)
  .refine(Number.isSafeInteger);

/** @throws ApiError invalid_path */
export function parsePathId(params: Readonly<Record<string, string>>): number {
  const parsed = Id.safeParse(params["id"]);
  if (!parsed.success) throw new ApiError("invalid_path", { param: "id", message: "id must be a positive integer." });
  return parsed.data;
}
