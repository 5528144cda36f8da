export { createClient, type Client } from "./create-client.ts";
export type { ClientOptions } from "./client-settings.ts";
export type { AnswerOf, CallOptions, NotModified, OperationId, ParamsOf, WalkOptions } from "./operation-types.ts";
export type { Checkpoint, EventStreamOptions, StreamEvent } from "./stream/event-stream.ts";
export { JobFailedError, type FileJob, type FileOptions, type ReadyFile } from "./files.ts";
export { verifyWebhook, WebhookVerificationError, type Delivery, type WebhookEvent } from "./verify-webhook.ts";
export { ApiError, ClientError, ConnectionError, InvalidResponseError, TimeoutError } from "./api-error.ts";
export * from "./generated/error-classes.ts";
