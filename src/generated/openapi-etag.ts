/** The ETag of openapi.txt; both files are written together. */
export const OPENAPI_ETAG = 'W/"9bd8b5116c1926cc214b977dd73617c1"';

/** The ETag of web-openapi.txt; both files are written together. */
export const WEB_OPENAPI_ETAG = 'W/"15f2ae2521daee79b135e656eb914adc"';
