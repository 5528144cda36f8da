/** The ETag of openapi.txt; both files are written together. */
export const OPENAPI_ETAG = 'W/"cb72b2cfa73c6c4d3e9c24482244b392"';

/** The ETag of web-openapi.txt; both files are written together. */
export const WEB_OPENAPI_ETAG = 'W/"8ed3c5d83e5d8661068b2f1ff7626c18"';
