import type { Operation } from "../../api/operation.ts";
import { getEventReplaySince } from "./get-event-replay.ts";
import { getStream } from "./get-stream.ts";

/** What happens, as it happens. */
export const EVENT_OPERATIONS: readonly Operation[] = [getStream, getEventReplaySince];
