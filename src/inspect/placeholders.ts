/** Where the page's template is filled. */
export const DATA_MARK = "ringback:data";
export const TITLE_MARK = "ringback:title";
/** Whom the page may ask: nobody, or the server that it came from. */
export const CONNECT_MARK = "ringback:connect";
