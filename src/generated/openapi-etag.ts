/** The ETag of openapi.txt; both files are written together. */
export const OPENAPI_ETAG = 'W/"ac9ac83ba55978ac33485c9f071a5334"';

/** The ETag of web-openapi.txt; both files are written together. */
export const WEB_OPENAPI_ETAG = 'W/"d43bc88f05cadfad29203442d18ef31c"';
