/** The ETag of openapi.txt; both files are written together. */
export const OPENAPI_ETAG = 'W/"a9d8c54ee414b11bab21d34163de1e53"';

/** The ETag of web-openapi.txt; both files are written together. */
export const WEB_OPENAPI_ETAG = 'W/"15f2ae2521daee79b135e656eb914adc"';
