/** The ETag of openapi.txt; both files are written together. */
export const OPENAPI_ETAG = 'W/"3952efc73f75a8dbc42b110ffc590369"';

/** The ETag of web-openapi.txt; both files are written together. */
export const WEB_OPENAPI_ETAG = 'W/"d43bc88f05cadfad29203442d18ef31c"';
