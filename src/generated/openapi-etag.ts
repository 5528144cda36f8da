/** The ETag of openapi.txt; both files are written together. */
export const OPENAPI_ETAG = 'W/"8eb4a611baeeabb2710d2c44e964e4b9"';

/** The ETag of web-openapi.txt; both files are written together. */
export const WEB_OPENAPI_ETAG = 'W/"15f2ae2521daee79b135e656eb914adc"';
