/** The ETag of openapi.txt; both files are written together. */
export const OPENAPI_ETAG = 'W/"9bd8b5116c1926cc214b977dd73617c1"';

/** The ETag of web-openapi.txt; both files are written together. */
export const WEB_OPENAPI_ETAG = 'W/"d43bc88f05cadfad29203442d18ef31c"';
