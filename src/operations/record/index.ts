import type { Operation } from "../../api/operation.ts";
import { getRecord } from "./get-record.ts";

export const RECORD_OPERATIONS: readonly Operation[] = [getRecord];
