/** The ETag of openapi.txt; both files are written together. */
export const OPENAPI_ETAG = 'W/"6dec4dc7af32e471f768552b482ab685"';

/** The ETag of web-openapi.txt; both files are written together. */
export const WEB_OPENAPI_ETAG = 'W/"d43bc88f05cadfad29203442d18ef31c"';
