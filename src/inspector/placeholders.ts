/** Marks the place of the data in the page's template. */
export const DATA_MARK = "ringback:data";
export const TITLE_MARK = "ringback:title";
/** Marks the place of the script that imports captures, which only playgrounds have. */
export const IMPORTER_MARK = "ringback:importer";
/** Marks the place of the editor, which only playgrounds have. */
export const EDITOR_MARK = "ringback:editor";
/** Marks the place of the lessons, which only playgrounds have. */
export const LESSONS_MARK = "ringback:lessons";
/** Marks the place of the fonts in the page of a server's phones. */
export const FONTS_MARK = "ringback:fonts";
/** Marks the place of `connect-src`: nothing, or the server that the page came from. */
export const CONNECT_MARK = "ringback:connect";
