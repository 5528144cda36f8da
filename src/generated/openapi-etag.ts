/** The ETag of openapi.txt; both files are written together. */
export const OPENAPI_ETAG = 'W/"22197de44418a7536124c393ac4bcee4"';

/** The ETag of web-openapi.txt; both files are written together. */
export const WEB_OPENAPI_ETAG = 'W/"8ed3c5d83e5d8661068b2f1ff7626c18"';
