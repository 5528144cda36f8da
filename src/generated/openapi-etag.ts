/** The ETag of openapi.txt; both files are written together. */
export const OPENAPI_ETAG = 'W/"444fa8a873c7b42374d9b2135ed7c55f"';

/** The ETag of web-openapi.txt; both files are written together. */
export const WEB_OPENAPI_ETAG = 'W/"d43bc88f05cadfad29203442d18ef31c"';
