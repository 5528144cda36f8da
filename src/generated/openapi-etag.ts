/** The ETag of openapi.txt; both files are written together. */
export const OPENAPI_ETAG = 'W/"c03219ba354b1c684d61ddcf8c298817"';

/** The ETag of web-openapi.txt; both files are written together. */
export const WEB_OPENAPI_ETAG = 'W/"15f2ae2521daee79b135e656eb914adc"';
