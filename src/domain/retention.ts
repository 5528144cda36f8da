import { DAY_MS } from "../scoring/utc-calendar.ts";

/** How long events can be replayed, and deliveries and verification attempts read. */
export const RETENTION_DAYS = 7;
export const RETENTION_MS = RETENTION_DAYS * DAY_MS;
