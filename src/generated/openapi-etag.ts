/** The ETag of openapi.txt; both files are written together. */
export const OPENAPI_ETAG = 'W/"7fb8266c48c4b4a988ca81fbf7a199e6"';

/** The ETag of web-openapi.txt; both files are written together. */
export const WEB_OPENAPI_ETAG = 'W/"8ed3c5d83e5d8661068b2f1ff7626c18"';
