/** The token in the header of a request, valid or not; undefined without one. */
export function bearerTokenOf({ headers }: Pick<Request, "headers">): string | undefined {
  return /^bearer +(\S+) *$/i.exec(headers.get("authorization") ?? "")?.[1];
}
