import { describe, expect, test } from "vitest";
import { vendorSignature } from "../../../src/core/network/vendor-signature.ts";
import { createSimulator, replay, type SimulatorOptions, type Urls } from "../../../src/index.ts";

const phones: Urls = {
  api: "https://phones.acme.test/api",
  auth: "https://phones.acme.test/auth",
  redirect: "https://phones.acme.test",
};
const user = { id: "dave", email: "dave@acme.test", displayName: "Dave", extension: "104", voicemail: true };
const lobby = { id: "lobby", displayName: "Lobby", extension: "300" };
const sales = { id: "sales", displayName: "Sales", extension: "200" };
const number = { number: "+6495550104", owner: "dave" };
const office = { id: "acme", users: [user], devices: [lobby], teams: [sales], numbers: [number] };
const voicemailForDave = { from: "+6421555001", to: "+6495550104" };

/** A voicemail message, and its URL. */
function leaveMessage() {
  const sim = createSimulator({ ids: "counter", organisation: office });
  const call = sim.calls.inbound(voicemailForDave);
  sim.advance("PT35S");
  call.leaveVoicemail({ duration: "PT7S" });
  sim.advance("PT30S");
  const url = call.record.voicemail?.recordingUrl ?? "";
  return { sim, call, url };
}

describe("URLs in answers", () => {
  test("start with the service's address of the option urls", async () => {
    const sim = createSimulator({ urls: phones });
    expect(sim.urls).toEqual(phones);
    expect(sim.users.get("alice").record.vendorRedirectUrl).toBe(
      "https://phones.acme.test/telephony/redirect?extension=101&organisationId=acme",
    );
    const document = await sim.openapi();
    expect(document.servers).toEqual([{ url: phones.api }]);
  });

  test("are served at their address, even under a path", async () => {
    const sim = createSimulator({ urls: phones });
    const headers = { authorization: `Bearer ${sim.token()}` };
    expect((await sim.fetch(`${phones.api}/users/alice`, { headers })).status).toBe(200);
    expect((await sim.fetch("/users/alice", { headers })).status).toBe(404);
    expect((await sim.fetch("https://phones.acme.test/elsewhere", { headers })).status).toBe(404);
    const form = new URLSearchParams({ ...sim.credentials, grant_type: "client_credentials" });
    form.set("client_id", sim.credentials.clientId);
    form.set("client_secret", sim.credentials.clientSecret);
    const token = await sim.fetch(`${phones.auth}/oauth/token`, { method: "POST", body: form });
    expect(token.status).toBe(200);
  });

  test("may share one address, where the path selects the service", async () => {
    const all = "http://phones.acme.test:8080";
    const sim = createSimulator({ urls: { api: all, auth: all, redirect: `${all}/` } });
    expect(sim.urls.redirect).toBe(all);
    const { vendorRedirectUrl } = sim.users.get("alice").record;
    const body = new URLSearchParams({ parentCallId: "CA1", from: "+6421555001", to: "+6495550100" });
    expect((await sim.fetch(vendorRedirectUrl, { method: "POST", body })).status).toBe(200);
    expect((await sim.fetch(`${all}/calls`)).status).toBe(401);
  });

  test.each([
    [{ api: "phones" }, /^urls\.api: expected an http or https URL without a query/],
    [{ auth: "ftp://phones.acme.test" }, /^urls\.auth: expected an http or https URL/],
    [{ redirect: "https://phones.acme.test/?a=1" }, /^urls\.redirect: expected/],
    [{ api: "https://me:secret@phones.acme.test" }, /^urls\.api: expected/],
    [{ web: "https://phones.acme.test" }, /^urls\.web: unknown key/],
  ])("reject %j", (urls, message) => {
    expect(() => createSimulator({ urls: urls as never })).toThrow(message);
  });

  test("are verified as they were returned, whatever a proxy changed", async () => {
    const dialect = { vendorSecret: "s3cret" };
    const sim = createSimulator({ urls: { redirect: "https://phones.acme.test" }, dialect });
    const { vendorRedirectUrl } = sim.users.get("alice").record;
    const form = { parentCallId: "CA1", from: "+6421555001", to: "+6495550100" };
    const signature = vendorSignature("s3cret", vendorRedirectUrl, form);
    const behindProxy = vendorRedirectUrl.replace("https://phones.acme.test", "http://localhost:8080");
    const post = (url: string) =>
      sim.fetch(url, {
        method: "POST",
        headers: { "x-vendor-signature": signature },
        body: new URLSearchParams(form),
      });
    expect((await post(behindProxy)).status).toBe(200);
    expect((await post(behindProxy.replace("101", "102"))).status).toBe(403);
  });
});

describe("A simulator that moves to other addresses", () => {
  const here = { api: "http://127.0.0.1:1", auth: "http://127.0.0.1:1", redirect: "http://127.0.0.1:1" };

  test("returns its new URLs, even for older records", async () => {
    const { sim, call } = leaveMessage();
    sim.serverPort.moveTo(here);
    for (const { vendorRedirectUrl } of sim.directory.list())
      expect(vendorRedirectUrl).toMatch(/^http:\/\/127\.0\.0\.1:1\/telephony\/redirect\?extension=\d+&/);
    expect(call.record.voicemail?.recordingUrl).toMatch(/^http:\/\/127\.0\.0\.1:1\/call\/call-1\//);
  });

  test("returns its new URLs for the entries of trunks of every kind", () => {
    const trunk = {
      id: "pbx",
      name: "PBX",
      devices: [{ id: "gate", displayName: "Gate", extension: "401" }],
      queues: [{ id: "repairs", displayName: "Repairs", extension: "402" }],
      users: [{ id: "guest", displayName: "Guest", extension: "403" }],
    };
    const organisation = { id: "acme", features: { pbx: true }, trunks: [trunk] };
    const sim = createSimulator({ organisation });
    sim.serverPort.moveTo(here);
    const moved = sim.directory
      .list()
      .map(({ id, vendorRedirectUrl }) => [id, vendorRedirectUrl.slice(0, 20)]);
    expect(moved).toEqual(["gate", "repairs", "guest"].map((id) => [id, "http://127.0.0.1:1/t"]));
  });

  test("repeats the move in a replay, and does not move its forks", async () => {
    const { sim } = leaveMessage();
    const fork = sim.fork();
    sim.serverPort.moveTo(here);
    const again = replay(JSON.stringify(sim.journal()));
    expect(again.urls).toEqual(here);
    expect(again.users.get("dave").record).toEqual(sim.users.get("dave").record);
    expect(fork.urls.api).toBe("https://api.ringback.test");
    expect(sim.at(sim.startTimestamp).urls.api).toBe("https://api.ringback.test");
  });
});

describe("The URL of a recording", () => {
  test("returns a silent MP3 as long as the message at once", async () => {
    const { sim, call, url } = leaveMessage();
    const early = await sim.fetch(url);
    expect(early.status).toBe(200);
    expect(durationOf(new Uint8Array(await early.arrayBuffer()))).toEqual({ ms: 7008, channels: 1 });
    sim.runUntilIdle();
    const response = await sim.fetch(url);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const [recording] = call.record.recordings;
    expect(response.headers.get("content-type")).toBe(recording?.mimeType);
    expect(response.headers.get("content-length")).toBe(String(bytes.length));
    expect(bytes).toHaveLength(recording?.fileSize ?? 0);
    expect(durationOf(bytes)).toEqual({ ms: 7008, channels: 1 });
  });

  test("returns both channels of a call, minutes long", async () => {
    const sim = createSimulator({
      ids: "counter",
      organisation: { ...office, features: { recording: true } },
    });
    const call = sim.calls.inbound(voicemailForDave);
    call.answer("dave");
    sim.advance("PT3M");
    call.hangup("caller");
    sim.runUntilIdle();
    const [recording] = call.record.recordings;
    const response = await sim.fetch(`${sim.urls.api}/call/call-1/recordings/${recording?.id}.mp3`);
    expect(durationOf(new Uint8Array(await response.arrayBuffer()))).toEqual({ ms: 180_000, channels: 2 });
  });

  test("answers HEAD without the bytes, and no other method", async () => {
    const { sim, url } = leaveMessage();
    const head = await sim.fetch(url, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, "28000", ""]);
    expect((await sim.fetch(url, { method: "POST" })).status).toBe(405);
  });

  test("is valid until a millisecond before it expires", async () => {
    const { sim, call, url } = leaveMessage();
    const expiresMs = call.record.voicemail?.recordingUrlExpiresTimestamp ?? 0;
    sim.advanceTo(expiresMs - 1);
    expect((await sim.fetch(url)).status).toBe(200);
    sim.advanceTo(expiresMs);
    expect((await sim.fetch(url)).status).toBe(403);
  });

  test("ends with its recording", async () => {
    const { sim, call, url } = leaveMessage();
    sim.runUntilIdle();
    const fork = sim.fork();
    const [recording] = call.record.recordings;
    fork.recordings.remove("call-1", recording?.id ?? "");
    expect((await fork.fetch(url)).status).toBe(404);
    expect((await fork.fetch(url.replace("call-1", "call-9"))).status).toBe(404);
  });
});

/** Reads every frame of an MPEG-2 layer III file at 24 kHz, and fails at a gap between two frames. */
function durationOf(bytes: Uint8Array): { ms: number; channels: number } {
  const kilobits = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
  const hertz = [22_050, 24_000, 16_000];
  let [samples, channels, rate] = [0, 0, 0];
  // a tag of ID3v2 may come first; its length is in 7 bits a byte
  const [, , , , , , a = 0, b = 0, c = 0, d = 0] = bytes;
  const isTagged = new TextDecoder().decode(bytes.subarray(0, 3)) === "ID3";
  const start = isTagged ? 10 + ((a << 21) | (b << 14) | (c << 7) | d) : 0;
  for (let offset = start; offset < bytes.length; ) {
    const [first = 0, second = 0, third = 0, fourth = 0] = bytes.subarray(offset, offset + 4);
    expect([first, second & 0b1111_1110]).toEqual([0xff, 0b1111_0010]); // sync, MPEG-2, layer III
    rate = hertz[(third >> 2) & 3] ?? 0;
    channels = fourth >> 6 === 3 ? 1 : 2;
    const size = Math.floor((72_000 * (kilobits[third >> 4] ?? 0)) / rate) + ((third >> 1) & 1);
    const frame = bytes.subarray(offset + 4, offset + size);
    expect(frame).toHaveLength(size - 4);
    // side information without main data, which is silence
    expect(frame.every((byte) => byte === 0)).toBe(true);
    samples += 576;
    offset += size;
  }
  return { ms: (samples / rate) * 1000, channels };
}

describe("allowLocal", () => {
  const local = "http://127.0.0.1:9/x";
  const organisationWith = (dataActions: Record<string, string>) => ({ id: "acme", dataActions });

  test.each(["allowLocal", "allowLocalWebhooks"])("allows endpoints on this machine, as %s", (name) => {
    const organisation = {
      ...organisationWith({ teamCall: local }),
      webhooks: [{ url: local, events: ["*"] }],
    };
    const sim = createSimulator({ organisation: organisation as never, [name]: true });
    expect(sim.options.allowLocal).toBe(true);
    expect(() => createSimulator({ organisation: organisation as never })).toThrow(
      /webhooks\[0\]\.url: expected a public host: 127\.0\.0\.1 .*\ndataActions\.teamCall: expected a public host/s,
    );
  });

  test("is not needed for a public host whose name contains .local or .internal", () => {
    const sim = createSimulator();
    for (const host of ["crm.local.acme.test", "crm.internal.acme.test", "localhost.acme.test"])
      expect(sim.webhooks.create({ url: `https://${host}/`, events: ["*"] }).url).toContain(host);
  });

  test("applies to the returns of redirected calls, which are otherwise ignored", () => {
    for (const allowLocal of [false, true]) {
      const sim = createSimulator({ allowLocal });
      sim.calls.redirect(
        { extension: "101", returnTo: "postEndpoint", returnToId: local },
        { from: "+6421555001", to: "+6495550100" },
      );
      sim.runUntilIdle();
      expect(sim.calls.returns).toHaveLength(allowLocal ? 1 : 0);
      expect(sim.network.requests.filter(({ why }) => why === "return")).toHaveLength(allowLocal ? 1 : 0);
    }
  });

  test.each([
    "https://me:secret@crm.acme.test/hooks",
    "https://secret@crm.acme.test/hooks",
    "https://:secret@crm.acme.test/hooks",
    "https://crm.acme.test/a b",
    " https://crm.acme.test/hooks",
    "https://crm.acme.test/hooks\n",
    "https://crm.acme\t.test/hooks",
    "https://crm.acme.test/\u0000",
    "https://crm.acme.test/\u007f",
    "https://crm.acme.test/\u009f",
    "https://crm.acme.test/\u00a0",
  ])("never allows credentials, spaces or control characters in a URL: %j", (url) => {
    for (const allowLocal of [false, true]) {
      const sim = createSimulator({ allowLocal });
      expect(() => sim.webhooks.create({ url, events: ["*"] })).toThrow(/url: expected a URL without/);
      expect(() =>
        createSimulator({ allowLocal, organisation: organisationWith({ teamCall: url }) }),
      ).toThrow(/dataActions\.teamCall: expected a URL without/);
    }
  });
});

describe("The vendor's secret", () => {
  const back = (options: SimulatorOptions) => {
    const sim = createSimulator(options);
    const url = "https://vendor.test/back";
    sim.calls.redirect(
      { extension: "101", returnTo: "postEndpoint", returnToId: url },
      { from: "+6421555001", to: "+6495550100", vendorCallId: "CA1" },
    );
    sim.runUntilIdle();
    const request = sim.network.requests.find(({ why }) => why === "return");
    const form = Object.fromEntries(new URLSearchParams(request?.body));
    const { vendorSecret } = sim.credentials;
    expect(request?.headers["x-vendor-signature"]).toBe(vendorSignature(vendorSecret, url, form));
    return sim.credentials.vendorSecret;
  };

  test("signs every return: the dialect's, or one made from the seed", () => {
    expect(back({ dialect: { vendorSecret: "s3cret" } })).toBe("s3cret");
    expect(back({ seed: 2 })).toMatch(/^[\da-f]{64}$/);
    expect(back({ seed: 2 })).toBe(back({ seed: 2 }));
    expect(back({ seed: 2 })).not.toBe(back({ seed: 3 }));
  });
});
