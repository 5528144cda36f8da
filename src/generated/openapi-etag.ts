/** The ETag of openapi.txt; both files are written together. */
export const OPENAPI_ETAG = 'W/"73b2557131952a6a864e7966d1f6a301"';

/** The ETag of web-openapi.txt; both files are written together. */
export const WEB_OPENAPI_ETAG = 'W/"d43bc88f05cadfad29203442d18ef31c"';
