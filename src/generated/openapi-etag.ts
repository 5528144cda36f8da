/** The ETag of openapi.txt; both files are written together. */
export const OPENAPI_ETAG = 'W/"189c826c5121f8ecea0d142c62e27f51"';

/** The ETag of web-openapi.txt; both files are written together. */
export const WEB_OPENAPI_ETAG = 'W/"d43bc88f05cadfad29203442d18ef31c"';
