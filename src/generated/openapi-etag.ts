/** The ETag of openapi.txt; both files are written together. */
export const OPENAPI_ETAG = 'W/"1be458d0e41c56e0173c31b2d49daf63"';

/** The ETag of web-openapi.txt; both files are written together. */
export const WEB_OPENAPI_ETAG = 'W/"d43bc88f05cadfad29203442d18ef31c"';
