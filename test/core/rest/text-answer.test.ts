import { describe, expect, test } from "vitest";
import { createSimulator } from "../../../src/index.ts";

/** An answer of the REST API, and a usual response with the same text. */
async function both() {
  const sim = createSimulator({ ids: "counter" });
  const ask = () => sim.fetch("/users", { headers: { authorization: `Bearer ${sim.token()}` } });
  const [answer, first] = [await ask(), await ask()];
  const { status, headers } = first;
  return { answer, usual: new Response(await first.text(), { status, headers }) };
}

const readers = {
  text: (each: Response) => each.text(),
  json: (each: Response) => each.json(),
  arrayBuffer: async (each: Response) => [...new Uint8Array(await each.arrayBuffer())],
  // Node 20 has no `bytes`
  bytes: async (each: Response) =>
    "bytes" in Response.prototype ? [...(await each.bytes())] : [...new Uint8Array(await each.arrayBuffer())],
  blob: async (each: Response) => [(await each.blob()).type, await (await each.blob()).text()],
  clone: (each: Response) => each.clone().json(),
  "clone, and then both": async (each: Response) => [await each.clone().text(), await each.text()],
  body: async (each: Response) => new Response(each.body).text(),
  "a response made of it": (each: Response) => new Response(each.body, each).json(),
  "the runtime's own text": (each: Response) => Response.prototype.text.call(each),
  "the runtime's own arrayBuffer": async (each: Response) => [
    ...new Uint8Array(await Response.prototype.arrayBuffer.call(each)),
  ],
  "the runtime's own clone": (each: Response) => Response.prototype.clone.call(each).text(),
  "a reader of its body": async (each: Response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of each.body ?? []) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  },
};

describe("An answer of the REST API", () => {
  test.each(Object.entries(readers))("is read like any response by %s", async (_, read) => {
    const { answer, usual } = await both();
    const outcome = async (each: Response) => {
      const value = await read(each).catch((thrown: Error) => thrown.name);
      return { value, bodyUsed: each.bodyUsed };
    };
    expect(await outcome(answer)).toEqual(await outcome(usual));
  });

  test.each(Object.keys(readers))("is read only once: %s fails after text()", async (name) => {
    const { answer, usual } = await both();
    const again = async (each: Response) => {
      await each.text();
      expect(each.bodyUsed).toBe(true);
      return Promise.resolve(each)
        .then(readers[name as keyof typeof readers])
        .then(
          () => "read",
          (thrown: Error) => thrown.name,
        );
    };
    expect(await again(answer)).toBe(await again(usual));
  });

  test.each<[string, string, RequestInit]>([
    ["a list", "/users?limit=1#first", {}],
    ["a refusal", "/users/nobody", {}],
    ["an answer to HEAD", "/users", { method: "HEAD" }],
    ["a token", "https://auth.ringback.test/oauth/token", { method: "POST" }],
  ])("is a plain response with its URL, and so is its clone: %s", async (_, path, init) => {
    const sim = createSimulator();
    const headers = { authorization: `Bearer ${sim.token()}` };
    const answer = await sim.fetch(path, { ...init, headers });
    const { origin, pathname, search } = new URL(path, sim.urls.api);
    expect(Object.getPrototypeOf(answer)).toBe(Response.prototype);
    expect([answer.url, answer.clone().clone().url]).toEqual(Array(2).fill(`${origin}${pathname}${search}`));
  });

  test("has its status, headers and body before it is read", async () => {
    const { answer, usual } = await both();
    expect(answer).toBeInstanceOf(Response);
    expect([answer.status, answer.ok, answer.bodyUsed]).toEqual([200, true, false]);
    expect([...answer.headers]).toEqual([...usual.headers]);
    expect(answer.body).toBeInstanceOf(ReadableStream);
    expect(answer.bodyUsed).toBe(false);
    expect(await answer.json()).toEqual(await usual.json());
  });
});
