/** The ETag of openapi.txt; both files are written together. */
export const OPENAPI_ETAG = 'W/"befd189e0aba11ecf4aadbb045af37bc"';

/** The ETag of web-openapi.txt; both files are written together. */
export const WEB_OPENAPI_ETAG = 'W/"d43bc88f05cadfad29203442d18ef31c"';
