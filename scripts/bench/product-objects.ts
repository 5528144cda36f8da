/** The product's Durable Objects: the class behind each binding of wrangler.toml. */
export const PRODUCT_OBJECTS = {
  FEED_READER: "FeedReader",
  JOB_RUNNER: "JobRunner",
  USER_METER: "UserMeter",
  EVENT_STREAM: "EventStream",
  STREAM_FANOUT: "StreamFanout",
  WEBHOOK_DISPATCHER: "WebhookDispatcher",
  WEBHOOK_ENDPOINT: "WebhookEndpoint",
} as const;

/** The bindings of these objects in workerd's configuration language. */
export const objectBindings = (): string[] =>
  Object.entries(PRODUCT_OBJECTS).map(
    ([binding, className]) => `(name = "${binding}", durableObjectNamespace = "${className}")`,
  );

/** The namespace declarations of these objects in workerd's configuration language. */
export const objectNamespaces = (): string[] =>
  Object.values(PRODUCT_OBJECTS).map(
    (className) => `(className = "${className}", uniqueKey = "${className}", enableSql = true)`,
  );
