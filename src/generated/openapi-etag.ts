/** The ETag of openapi.txt; both files are written together. */
export const OPENAPI_ETAG = 'W/"04deac885be8a6545f857f38b40b71fa"';

/** The ETag of web-openapi.txt; both files are written together. */
export const WEB_OPENAPI_ETAG = 'W/"d43bc88f05cadfad29203442d18ef31c"';
