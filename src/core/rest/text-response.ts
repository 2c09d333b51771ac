/**
 * A response with a text, like `new Response(text, init)`. Most are read once, as JSON or as text, and this one needs no
 * stream for that: making and reading one takes as long as all else about an answer. What else is asked of its body, a
 * usual response answers.
 */
export class TextResponse extends Response {
  /** What it was made with, even if it was read. */
  readonly written: string;
  #isRead = false;
  #usual: Response | undefined;

  /** @param init must say the content type */
  constructor(text: string, init: ResponseInit) {
    super(null, init);
    this.written = text;
  }

  override get body(): Response["body"] {
    return this.#asUsual.body;
  }

  override get bodyUsed(): boolean {
    return this.#usual?.bodyUsed ?? this.#isRead;
  }

  override async text(): Promise<string> {
    if (this.#isRead || this.#usual !== undefined) return this.#asUsual.text();
    this.#isRead = true;
    return this.written;
  }

  override async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  override arrayBuffer(): ReturnType<Response["arrayBuffer"]> {
    return this.#asUsual.arrayBuffer();
  }

  override blob(): ReturnType<Response["blob"]> {
    return this.#asUsual.blob();
  }

  // by `arrayBuffer`, since usual responses have no `bytes` in Node 20
  override async bytes(): ReturnType<Response["bytes"]> {
    return new Uint8Array(await this.arrayBuffer());
  }

  override formData(): ReturnType<Response["formData"]> {
    return this.#asUsual.formData();
  }

  override clone(): Response {
    return this.#asUsual.clone();
  }

  /** The same as a usual response, which is read if this one is. */
  get #asUsual(): Response {
    if (this.#usual === undefined) {
      const { status, statusText, headers } = this;
      this.#usual = new Response(this.written, { status, statusText, headers });
      if (this.#isRead) void this.#usual.text();
    }
    return this.#usual;
  }
}
