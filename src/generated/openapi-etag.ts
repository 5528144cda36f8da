/** The ETag of openapi.txt; both files are written together. */
export const OPENAPI_ETAG = 'W/"91920b5d500a57fd53f5b9d0663e3197"';

/** The ETag of web-openapi.txt; both files are written together. */
export const WEB_OPENAPI_ETAG = 'W/"8ed3c5d83e5d8661068b2f1ff7626c18"';
