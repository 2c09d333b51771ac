/**
 * A response with a text, like `new Response(text, init)`. Most are read once, as JSON or as text, and this one needs no
 * stream for that: making and reading one takes as long as all else about an answer. What else is asked of its body, a
 * usual response answers.
 */
export class TextResponse extends Response {
  /** What it was made with, even if it was read. */
  readonly content: string;
  #isRead = false;
  #delegate: Response | undefined;

  /** @param init must say the content type */
  constructor(text: string, init: ResponseInit) {
    super(null, init);
    this.content = text;
  }

  override get body(): Response["body"] {
    return this.#response.body;
  }

  override get bodyUsed(): boolean {
    return this.#delegate?.bodyUsed ?? this.#isRead;
  }

  override async text(): Promise<string> {
    if (this.#isRead || this.#delegate !== undefined) return this.#response.text();
    this.#isRead = true;
    return this.content;
  }

  override async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  override arrayBuffer(): ReturnType<Response["arrayBuffer"]> {
    return this.#response.arrayBuffer();
  }

  override blob(): ReturnType<Response["blob"]> {
    return this.#response.blob();
  }

  // by `arrayBuffer`, since usual responses have no `bytes` in Node 20
  override async bytes(): ReturnType<Response["bytes"]> {
    return new Uint8Array(await this.arrayBuffer());
  }

  override formData(): ReturnType<Response["formData"]> {
    return this.#response.formData();
  }

  override clone(): Response {
    return this.#response.clone();
  }

  /** The same as a usual response, which is read if this one is. */
  get #response(): Response {
    if (this.#delegate === undefined) {
      const { status, statusText, headers } = this;
      this.#delegate = new Response(this.content, { status, statusText, headers });
      if (this.#isRead) void this.#delegate.text();
    }
    return this.#delegate;
  }
}
