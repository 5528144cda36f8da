/** The ETag of openapi.txt; both files are written together. */
export const OPENAPI_ETAG = 'W/"bcff995181dde4732332ceb0928fb94e"';

/** The ETag of web-openapi.txt; both files are written together. */
export const WEB_OPENAPI_ETAG = 'W/"d43bc88f05cadfad29203442d18ef31c"';
