/** The ETag of openapi.txt; both files are written together. */
export const OPENAPI_ETAG = 'W/"7fef300cb991dc6b222ff048a4f15d21"';

/** The ETag of web-openapi.txt; both files are written together. */
export const WEB_OPENAPI_ETAG = 'W/"d43bc88f05cadfad29203442d18ef31c"';
