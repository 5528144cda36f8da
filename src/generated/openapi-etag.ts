/** The ETag of openapi.txt; both files are written together. */
export const OPENAPI_ETAG = 'W/"97e35268536b8e77eb83447e03bd77af"';

/** The ETag of web-openapi.txt; both files are written together. */
export const WEB_OPENAPI_ETAG = 'W/"d43bc88f05cadfad29203442d18ef31c"';
