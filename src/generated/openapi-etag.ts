/** The ETag of openapi.txt; both files are written together. */
export const OPENAPI_ETAG = 'W/"4e1976ea60307fb51b2f9946b46731a8"';

/** The ETag of web-openapi.txt; both files are written together. */
export const WEB_OPENAPI_ETAG = 'W/"d43bc88f05cadfad29203442d18ef31c"';
