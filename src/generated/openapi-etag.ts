/** Of openapi.txt, with which it is written. */
export const OPENAPI_ETAG = 'W/"ad811b8dadd5a1f7f53a1ee181d5816d"';
