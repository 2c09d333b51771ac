/** Where the page's template is filled. */
export const DATA_MARK = "ringback:data";
export const TITLE_MARK = "ringback:title";
