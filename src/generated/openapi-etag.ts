/** Of openapi.txt, with which it is written. */
export const OPENAPI_ETAG = 'W/"91d96161b5ce3a03b867da17beb432da"';
