/** The ETag of openapi.txt; both files are written together. */
export const OPENAPI_ETAG = 'W/"8097b4f8bd326992cbd3fbf81692869a"';

/** The ETag of web-openapi.txt; both files are written together. */
export const WEB_OPENAPI_ETAG = 'W/"15f2ae2521daee79b135e656eb914adc"';
