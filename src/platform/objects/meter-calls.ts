import type { CredentialRecord } from "../../domain/accounts/credential-record.ts";
import type { CallerRequest, Traced } from "./meter.ts";

/** The answer of a meter's object without a record of the credential. */
export interface UnknownCredential {
  readonly kind: "unknown";
  /** Identifies what the object knows. The record must be read after this answer. */
  readonly revision: string;
}

/** A record that was read from Postgres for a revision. */
export interface LoadedRecord {
  readonly revision: string;
  readonly record: CredentialRecord;
}

export interface AccessCall extends Pick<CallerRequest, "credential" | "requirement"> {
  /** Null in the first call. */
  readonly loaded: LoadedRecord | null;
}

export type CallerCall = CallerRequest & AccessCall & Traced;
