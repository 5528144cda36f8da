import type { z } from "zod";

/**
 * Who receives an event. `public`: everyone. `paid`: everyone on the stream, but webhooks only of accounts
 * with an active paid subscription. `owner`: only the account that owns the event.
 */
export type EventAccess = "public" | "paid" | "owner";

type FieldOf<Payload extends z.ZodObject> = Extract<keyof z.output<Payload>, string>;

export interface EventDefinition<Type extends string = string, Payload extends z.ZodObject = z.ZodObject> {
  /** The name stored in the outbox. */
  readonly type: Type;
  /**
   * The names under which webhooks may register the event, the current one first; the others are older
   * spellings of the same event.
   */
  readonly spellings: readonly [NoInfer<Type>, ...string[]];
  /** The frame name on the stream. */
  readonly frame: string;
  readonly access: EventAccess;
  /** False while nothing in the product publishes it. */
  readonly isLive: boolean;
  /** When the event is published. */
  readonly firesWhen: string;
  /** The schema of the stored payload. */
  readonly payload: Payload;
  /**
   * The schema of `data` as subscribers receive it, for an event whose data is the payload and its
   * `event_id`. By default the data is the payload. This schema, or else the payload, has an `id` for the API
   * document.
   */
  readonly data?: z.ZodObject;
  /**
   * The payload's fields by which the stream filters. A filter by a facet that is not declared passes no
   * frame of the event. `condition_id` is a facet without a declaration.
   */
  readonly facets?: {
    readonly grade?: FieldOf<Payload>;
    readonly wallet?: FieldOf<Payload>;
    /** Dollars. */
    readonly sizeUsd?: FieldOf<Payload>;
  };
  /** The field with the event's time, ISO. By default it is the time at which the event was recorded. */
  readonly occurredAt?: { readonly field: FieldOf<Payload>; readonly description: string };
}

/**
 * Declares an event. Webhook names, stream frames and filters, access rules, replay in the stream and the API
 * document derive from the registry of declarations.
 */
export const defineEvent = <const Type extends string, Payload extends z.ZodObject>(
  event: EventDefinition<Type, Payload>,
): EventDefinition<Type, Payload> => event;
