import { describe, expect, test } from "vitest";
import { CaptureError, drift, readCapture } from "../../src/capture/index.ts";
import { captured, edited, jsonl, lessons, secret } from "./support.ts";

const lines = captured("01");
const types = [
  "call.started",
  "call.answered",
  "user.availability.updated",
  "call.hungup",
  "call.hungup",
  "user.availability.updated",
  "call.ended",
];
const first = lines[0]?.body ?? "";
const typesOf = ({ events }: { events: readonly { type: string }[] }) => events.map(({ type }) => type);

describe("readCapture", () => {
  test("reads a capture line by line and groups requests by event", async () => {
    const again = lines.map((line) => ({ ...line, receivedAt: line.receivedAt + 500 }));
    const { events, requests, format, problems } = await readCapture(jsonl([...lines, ...again]));
    expect({ format, requests, problems }).toEqual({ format: "jsonl", requests: 14, problems: [] });
    expect(typesOf({ events })).toEqual(types);
    expect(events[0]?.requests).toMatchObject([
      { line: 1, status: 200, receivedTimestamp: lines[0]?.receivedAt },
      { line: 8, receivedTimestamp: (lines[0]?.receivedAt ?? 0) + 500 },
    ]);
  });

  test("reads pieces that end anywhere, even inside a character", async () => {
    const text = jsonl(
      edited(lines, (body) => {
        if (body.data.call) body.data.call.summary.header = "Zoë 📞";
      }),
    );
    async function* pieces() {
      const bytes = new TextEncoder().encode(`\ufeff${text}`);
      for (let start = 0; start < bytes.length; start += 997) yield bytes.slice(start, start + 997);
    }
    const capture = await readCapture(pieces());
    expect(capture.events).toEqual((await readCapture(text)).events);
    expect(capture.events[0]?.data.call).toMatchObject({ summary: { header: "Zoë 📞" } });
  });

  test("sorts events by the times of their records, not by lines", async () => {
    const { events } = await readCapture(jsonl([...lines].reverse()));
    expect(typesOf({ events })).toEqual(types);
  });

  test("dates an event by its record if the wrapper is later", async () => {
    const late = edited(lines, (body) => {
      body.createdTimestamp += 1_740;
    });
    const { events } = await readCapture(jsonl(late));
    const { events: expected } = await readCapture(jsonl(lines));
    expect(events.map(({ timestamp }) => timestamp)).toEqual(expected.map(({ timestamp }) => timestamp));
  });

  test.each(lessons)("reports no drift for lesson %s", async (name) => {
    const own = captured(name);
    if (own.length === 0) return;
    const { problems, drift: found } = await readCapture(jsonl(own), { secret });
    expect(problems).toEqual([]);
    expect(found).toEqual({ fields: [], types: [], enums: [], lacking: [], events: [] });
  });
});

const bodies = lines.map(({ body }) => JSON.parse(body));
const base64 = (text: string) => Buffer.from(text).toString("base64");

/** One capture in the format of each tool. */
const exported: Record<string, string> = {
  jsonl: jsonl(lines),
  portal: JSON.stringify(
    lines.map(({ body, status }) => ({
      eventId: JSON.parse(body).id,
      requestBody: JSON.parse(body),
      responseTimeMs: 484,
      status,
    })),
    null,
    2,
  ),
  "webhook.site": JSON.stringify({
    data: lines.map(({ body, headers, receivedAt }, index) => ({
      uuid: `u-${index}`,
      token_id: "t",
      method: "POST",
      content: body,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
      created_at: new Date(receivedAt).toISOString().replace("T", " ").slice(0, 19),
    })),
    total: lines.length,
  }),
  hookdeck: JSON.stringify({
    pagination: {},
    models: lines.map(({ body, headers, receivedAt }, index) => ({
      id: `evt_${index}`,
      data: { headers, body: JSON.parse(body), path: "/" },
      response_status: 200,
      created_at: new Date(receivedAt).toISOString(),
    })),
  }),
  ngrok: JSON.stringify({
    uri: "/api/requests/http",
    requests: lines.map(({ body, headers, receivedAt }) => ({
      uri: "/api/requests/http/1",
      start: new Date(receivedAt).toISOString(),
      duration: 484_000_000,
      request: {
        method: "POST",
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
        raw: base64(`POST /hooks HTTP/1.1\r\nHost: receiver.test\r\n\r\n${body}`),
      },
      response: { status: "200 OK", status_code: 200, raw: base64("HTTP/1.1 200 OK\r\n\r\n") },
    })),
  }),
  har: JSON.stringify({
    log: {
      version: "1.2",
      entries: lines.map(({ body, headers, receivedAt }) => ({
        startedDateTime: new Date(receivedAt).toISOString(),
        time: 484,
        request: {
          method: "POST",
          headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
          postData: { mimeType: "application/json", text: body },
        },
        response: { status: 200 },
      })),
    },
  }),
  folder: bodies.map((body) => JSON.stringify(body, null, 2)).join("\n"),
};

describe("readCapture", () => {
  test.each(Object.entries(exported))("recognises and reads the format %s", async (format, text) => {
    const capture = await readCapture(text);
    expect(capture.format).toBe(format);
    expect(capture.problems).toEqual([]);
    expect(typesOf(capture)).toEqual(types);
    expect(capture.events.map(({ data }) => data)).toEqual(bodies.map(({ data }) => data));
  });

  test.each(["jsonl", "webhook.site", "ngrok", "har"])(
    "verifies signatures in the format %s",
    async (format) => {
      const text = exported[format] ?? "";
      expect((await readCapture(text, { secret })).problems).toEqual([]);
      await expect(readCapture(text, { secret: "another" })).rejects.toThrow(/signature does not match/);
    },
  );

  test("skips signatures in the format hookdeck, whose bodies are parsed", async () => {
    expect((await readCapture(exported.hookdeck ?? "", { secret: "another" })).problems).toEqual([]);
  });

  test("reads the portal's log copied from its viewer, without quotes and commas", async () => {
    const text = lines
      .map(
        ({ body }, index) =>
          `Delivery ${index}\n{\neventId: ${JSON.parse(body).id}\nrequestBody: ${JSON.stringify(body)}\nresponseTimeMs: 484\nstatus: 200\n}\n`,
      )
      .join("\n");
    const capture = await readCapture(text);
    expect(typesOf(capture)).toEqual(types);
    expect(capture.events[0]?.requests).toMatchObject([{ status: 200, responseMs: 484 }]);
  });

  test("refuses an unknown format and lists the known ones", async () => {
    await expect(readCapture(first, { format: "pcap" as never })).rejects.toThrow(
      'format: expected one of jsonl, portal, webhook.site, hookdeck, ngrok, folder, har, got "pcap"',
    );
  });
});

describe("readCapture", () => {
  const line = (body: unknown) => ({ receivedAt: 1, headers: {}, body });
  test.each([
    ["is not JSON", "{", "expected a request as JSON"],
    [
      "is no request",
      JSON.stringify({ name: "x" }),
      "expected a request in the format jsonl, got an object with 1 field",
    ],
    [
      "has no body",
      JSON.stringify({ receivedAt: 1, headers: {}, body: undefined }),
      "got an object with 2 fields",
    ],
    [
      "has a body that is no JSON",
      JSON.stringify(line("<xml/>")),
      "expected a body in JSON, got 6 characters that are no JSON",
    ],
    ["has a body that is null", JSON.stringify(line("null")), "expected a body that is an object, got null"],
    ["has a body that is a list", JSON.stringify(line("[1]")), "expected a body that is an object, got list"],
    ["has a body that is text", JSON.stringify(line('"hi"')), "expected a body that is an object, got text"],
    [
      "has a body without a type",
      JSON.stringify(line("{}")),
      "expected an event with a type, got an object with 0 fields",
    ],
    [
      "has an event's id that is an object",
      JSON.stringify(line({ type: "call.ended", id: {} })),
      "expected an event's id, got an object with 0 fields",
    ],
    [
      "says no time",
      JSON.stringify({ headers: {}, body: { type: "call.ended", id: "x" } }),
      "the event has no time",
    ],
  ])("lists a line that %s as a problem and reads the others", async (_, bad, message) => {
    const capture = await readCapture(`${jsonl(lines.slice(0, 2))}${bad}\n${jsonl(lines.slice(2))}`);
    expect(capture.problems).toEqual([{ line: 3, message: expect.stringContaining(message) }]);
    expect(typesOf(capture)).toEqual(types);
  });

  test("lists a line of 100 MB as a problem and reads the others", async () => {
    async function* pieces() {
      yield jsonl(lines.slice(0, 2));
      const piece = "x".repeat(1_000_000);
      for (let count = 0; count < 100; count++) yield piece;
      yield `\n${jsonl(lines.slice(2))}`;
    }
    const capture = await readCapture(pieces());
    expect(capture.problems).toEqual([
      { line: 3, message: "expected a line of at most 16000000 characters, got 100000000" },
    ]);
    expect(typesOf(capture)).toEqual(types);
  });

  test("leaves out a request whose signature does not match", async () => {
    const forged = lines.map((each, index) => (index === 1 ? { ...each, body: `${each.body} ` } : each));
    const unsigned = forged.map((each, index) => (index === 3 ? { ...each, headers: {} } : each));
    const { problems, events } = await readCapture(jsonl(unsigned), { secret });
    expect(problems).toEqual([{ line: 2, message: expect.stringContaining("the signature does not match") }]);
    expect(events).toHaveLength(6);
  });

  test("quotes nothing of a body that cannot be read", async () => {
    const bad = { receivedAt: 1, headers: {}, body: "\u001b[2J\u202ecod.exe" };
    const { problems } = await readCapture(jsonl([...lines, bad]));
    expect(problems[0]?.message).toBe("expected a body in JSON, got 12 characters that are no JSON");
  });

  test("lists a field that no schema knows, but not if it is a person's name or a number", async () => {
    const named = ["displayValue", "directDial", "johnSmith", "jane_doe", "n6421555001", "Zoe"];
    const edit = edited(lines, ({ data: { call } }, index) => {
      if (index > 0 || call === undefined) return;
      call.parties[0].displayName = "John Smith";
      call.parties[0].email = "jane.doe@acme.test";
      for (const name of named) call[name] = "x";
    });
    const { drift } = await readCapture(jsonl(edit));
    const listed = drift.fields.map(({ path }) => path).filter((path) => path.startsWith("data.call."));
    expect(listed.sort()).toEqual([
      ...["data.call.directDial", "data.call.displayValue"],
      ...[1, 2, 3, 4].map((number) => `data.call.field ${number}`),
    ]);
  });

  test("reads fields named like those of Object.prototype", async () => {
    const named = ["__proto__", "constructor", "toString", "hasOwnProperty"];
    const more = named.flatMap((name, index) => [
      {
        receivedAt: 1,
        headers: { [name]: "x" },
        body: `{"id":"${name}","type":"${name}","createdTimestamp":1,"data":{}}`,
      },
      {
        receivedAt: 2,
        headers: {},
        body: first
          .replace('"data":{', `"data":{"${name}":{"a":${index}},`)
          .replace('"id":"', `"id":"${name}`),
      },
    ]);
    const capture = await readCapture(jsonl([...lines, ...more]));
    expect(capture.problems).toEqual([]);
    expect(capture.drift.events.map(({ path }) => path).sort()).toEqual([
      "constructor",
      "field 1",
      "hasOwnProperty",
      "toString",
    ]);
    expect(capture.drift.fields.map(({ path }) => path).sort()).toEqual([
      "data.constructor",
      "data.field 1",
      "data.hasOwnProperty",
      "data.toString",
    ]);
    expect(({} as { a?: number }).a).toBeUndefined();
  });

  test("reads the other lines after bodies of 100,000 parties or 100,000 levels", async () => {
    const wide = edited(lines, (body) => {
      const [party] = body.data.call?.parties ?? [];
      if (party) body.data.call.parties = Array.from({ length: 100_000 }, () => party);
    }).slice(0, 1);
    const deep = `{"id":"deep","type":"call.ended","createdTimestamp":1,"data":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    const capture = await readCapture(
      jsonl([...wide, ...lines.slice(1), { receivedAt: 1, headers: {}, body: deep }]),
    );
    expect(capture.events.length + capture.problems.length).toBe(8);
  });

  const list = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const record = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
  test.each([
    ["free content", `"passthroughParameters":{"a":${list}}`, '"passthroughParameters":{}'],
    ["an undocumented field", `"extra":${record},"parties":`, '"parties":'],
    ["a text", `"direction":${list}`, '"direction":"inbound"'],
    ["a list", `"notes":${record}`, '"notes":[]'],
    ["an event of an undocumented type", `"type":"call.other","data":{"a":${list}}`, '"type":"call.ended"'],
  ])("lists requests with 100,000 levels in the place of %s, each time", async (_, deep, plain) => {
    const changed = lines
      .filter(({ body }) => body.includes(plain))
      .map((line) => {
        const body = line.body.replace(plain, deep);
        return { ...line, body: body.replace(/,"data":\{"call".*/, deep.includes('"data"') ? "}" : "$&") };
      });
    const { events, problems } = await readCapture(jsonl([...lines, ...changed, ...changed]));
    expect(typesOf({ events })).toEqual(types);
    expect(problems).toHaveLength(2 * changed.length);
    expect(new Set(problems.map(({ message }) => message))).toEqual(
      new Set(["expected fields of at most 100 levels, got one with more"]),
    );
  });
});

test("readCapture throws an error with all problems if no request can be read", async () => {
  await expect(readCapture("")).rejects.toThrow("expected a capture, got nothing");
  const error = await readCapture("hello\n").catch((each: unknown) => each);
  expect(error).toBeInstanceOf(CaptureError);
  expect(error).toMatchObject({
    message:
      "no request of the capture can be read; line 1: expected a request as JSON, got 5 characters that are no JSON",
    problems: [{ line: 1 }],
  });
});

describe("drift", () => {
  test("counts fields, types, values, missing fields and event types, each with its first line", async () => {
    const drifting = edited(lines, (body, index) => {
      body.version = 2;
      if (body.type === "call.hungup") body.data.call.highlights = [];
      if (body.type === "call.ended") body.data.call.duration = "66000";
      if (body.type === "call.answered") delete body.data.call.summary.header;
      if (index === 0) for (const each of body.data.call.parties) each.type = "phone";
    });
    const note = {
      receivedAt: 1,
      headers: {},
      body: { id: "n", type: "call.note.created", created: "2026-07-01T09:00:00Z", data: {} },
    };
    expect(await drift(jsonl([...drifting, note]))).toEqual({
      fields: [
        { path: "data.call.highlights", count: 2, line: 4 },
        { path: "version", count: 7, line: 1 },
      ],
      types: [{ path: "data.call.duration", expected: "number", got: "text", count: 1, line: 7 }],
      enums: [
        {
          path: "data.call.parties[].type",
          expected: "one of external, user, device, voicemail",
          got: "phone",
          count: 1,
          line: 1,
        },
      ],
      lacking: [{ path: "data.call.summary.header", count: 1, line: 2 }],
      events: [{ path: "call.note.created", count: 1, line: 8 }],
    });
  });

  test("counts what differs in equal records in each body that has them", async () => {
    const callEvents = lines.filter(({ body }) => body.includes('"parties":['));
    const drifting = edited(callEvents, ({ data: { call } }) => {
      Object.assign(call.parties[0], { mood: "good", type: "phone" });
      delete call.parties[0].tariff;
    });
    const { fields, enums, lacking } = await drift(jsonl(drifting));
    expect([...fields, ...enums, ...lacking].map(({ path, count, line }) => ({ path, count, line }))).toEqual(
      ["mood", "type", "tariff"].map((name) => ({ path: `data.call.parties[].${name}`, count: 5, line: 1 })),
    );
  });

  test("returns the drift of a capture that has been read", async () => {
    const capture = await readCapture(jsonl(lines));
    expect(await drift(capture)).toBe(capture.drift);
  });
});
