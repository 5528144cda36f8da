/** The ETag of openapi.txt; both files are written together. */
export const OPENAPI_ETAG = 'W/"97890653d0e9cbba932aff85ef451620"';

/** The ETag of web-openapi.txt; both files are written together. */
export const WEB_OPENAPI_ETAG = 'W/"d43bc88f05cadfad29203442d18ef31c"';
