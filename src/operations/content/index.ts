import type { Operation } from "../../api/operation.ts";
import { searchContent } from "./search-content.ts";

export const CONTENT_OPERATIONS: readonly Operation[] = [searchContent];
