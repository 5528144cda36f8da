/** Of openapi.txt, with which it is written. */
export const OPENAPI_ETAG = 'W/"200377bd6f7265520e8b1d18430dcbaf"';
