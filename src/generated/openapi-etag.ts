/** Of openapi.txt, with which it is written. */
export const OPENAPI_ETAG = 'W/"b835aa46f0c9d775f48fbfb670e7ba66"';
