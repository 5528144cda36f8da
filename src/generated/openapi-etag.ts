/** The ETag of openapi.txt; both files are written together. */
export const OPENAPI_ETAG = 'W/"befd189e0aba11ecf4aadbb045af37bc"';

/** The ETag of web-openapi.txt; both files are written together. */
export const WEB_OPENAPI_ETAG = 'W/"15f2ae2521daee79b135e656eb914adc"';
