/** The ETag of openapi.txt; both files are written together. */
export const OPENAPI_ETAG = 'W/"c7c7a928dedb8faa2ebdf60277fca1a7"';

/** The ETag of web-openapi.txt; both files are written together. */
export const WEB_OPENAPI_ETAG = 'W/"8ed3c5d83e5d8661068b2f1ff7626c18"';
