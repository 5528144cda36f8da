/** The ETag of openapi.txt; both files are written together. */
export const OPENAPI_ETAG = 'W/"fc101f46c1bb9d48e6402ea7f2ea218e"';

/** The ETag of web-openapi.txt; both files are written together. */
export const WEB_OPENAPI_ETAG = 'W/"8ed3c5d83e5d8661068b2f1ff7626c18"';
