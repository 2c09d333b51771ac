/** The texts of answers, for the record of a request: reading the body would use it up. */
const textByAnswer = new WeakMap<Response, string>();

/** A response with a text that `answeredText` gives without reading it. */
export function textAnswer(text: string, init: ResponseInit): Response {
  const answered = new Response(text, init);
  textByAnswer.set(answered, text);
  return answered;
}

/** The text of an answer's body; empty for audio. */
export async function answeredText(answered: Response): Promise<string> {
  const known = textByAnswer.get(answered);
  if (known !== undefined) return known;
  const type = answered.headers.get("content-type") ?? "";
  return type.startsWith("audio/") ? "" : answered.clone().text();
}

/**
 * Gives a response the URL that was asked, as `fetch` does: a constructor cannot say it. The response stays one of the
 * runtime's own, whose body others read without its methods.
 */
export function withUrl(answered: Response, url: string): Response {
  const [value] = url.split("#", 1);
  const clone = () => withUrl(Response.prototype.clone.call(answered), url);
  return Object.defineProperties(answered, {
    url: { value, enumerable: true, configurable: true },
    clone: { value: clone, configurable: true, writable: true },
  });
}
