/** The ETag of openapi.txt; both files are written together. */
export const OPENAPI_ETAG = 'W/"8fa77002c3437070548b5a3affc2ee37"';

/** The ETag of web-openapi.txt; both files are written together. */
export const WEB_OPENAPI_ETAG = 'W/"d43bc88f05cadfad29203442d18ef31c"';
