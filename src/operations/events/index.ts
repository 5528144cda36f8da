import type { Operation } from "../../api/operation.ts";
import { getEventReplaySince } from "./get-event-replay-since.ts";
import { getStream } from "./get-stream.ts";

export const EVENT_OPERATIONS: readonly Operation[] = [getStream, getEventReplaySince];
