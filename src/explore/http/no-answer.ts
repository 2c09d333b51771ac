/** Thrown if a server took a request and closed the connection without an answer. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}
