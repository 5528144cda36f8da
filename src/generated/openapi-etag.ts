/** The ETag of openapi.txt; both files are written together. */
export const OPENAPI_ETAG = 'W/"a7c536dd7cda4270dbfaf29f3d674f67"';

/** The ETag of web-openapi.txt; both files are written together. */
export const WEB_OPENAPI_ETAG = 'W/"15f2ae2521daee79b135e656eb914adc"';
