/** The logo as SVG, in the colour of the text around it: a phone's waves about a dot. */
export const logo =
  '<svg viewBox="0 0 20 20" aria-hidden="true"><g fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"><path d="M4.5 15.5a8 8 0 1 1 11 0"/><path d="M7.3 12.3a4 4 0 1 1 5.4 0"/></g><circle cx="10" cy="9.8" r="1.5" fill="currentColor"/></svg>';

/** The logo as the address of a page's icon. */
export const iconAddress = `data:image/svg+xml,${encodeURIComponent(
  logo.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ').replaceAll("currentColor", "#4a45d8"),
)}`;
