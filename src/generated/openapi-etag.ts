/** The ETag of openapi.txt; both files are written together. */
export const OPENAPI_ETAG = 'W/"1bb228e4b6fea3846ca87678861c2b54"';

/** The ETag of web-openapi.txt; both files are written together. */
export const WEB_OPENAPI_ETAG = 'W/"d43bc88f05cadfad29203442d18ef31c"';
