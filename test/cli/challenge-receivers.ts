/**
 * Apps of each challenge: wrong ones as learners write them, and right ones of different design. Each is the inside of
 * `app`: `on` gets each event, and `log`, `live`, `numbers` and `people` are shown unless it returns something else.
 */
export interface Receivers {
  /** What is wrong in it, and the code. */
  readonly wrong: Readonly<Record<string, string>>;
  /** How it is made, and the code. */
  readonly right: Readonly<Record<string, string>>;
}

/** The module of an app. @param code the inside of `app` */
export const moduleOf = (code: string) => `import { createHmac } from "node:crypto";
export const durable = () => new Map();
const [kept, keptIds] = [[], new Set()];
const sha = (text, secret = "s3cret") => "sha256=" + createHmac("sha256", secret).update(text).digest("hex");
export function app(sim, stored) {
  const [log, live, numbers, people, seen] = [[], new Set(), new Map(), {}, new Set()];
  const add = (call) => void log.push({ callId: call.id });
  const addOnce = (call) => void (log.some(({ callId }) => callId === call.id) || add(call));
  const store = (call) => void stored.set(call.id, { callId: call.id });
  const on = (handle, url = "https://app.test/hooks") =>
    sim.network.route(url, async (request) => {
      const event = JSON.parse(request.body);
      return (await handle({ ...event, ...event.data, isOver: event.data.call?.endedAt != null }, request)) ?? 204;
    });
  const users = async (path = "/users") =>
    (await (await sim.fetch(path, { headers: { authorization: "Bearer " + sim.token() } })).json()).users;
  const shown = {
    log: () => (stored.size > 0 ? [...stored.values()] : log),
    numbers: () => [...numbers.keys()],
    board: () => (Object.keys(people).length > 0 ? { people } : { live: [...live], people }),
  };
  return { ...shown, ...run() };
  function run() {
    ${code}
  }
}
`;

/** What is wrong whatever the challenge is. */
const always = (shown: "log" | "numbers" | "board", right: string) => ({
  "has a typo in the URL": right.replace(/\);$/, ', "https://app.test/hoks");'),
  "reads a field that is not there": "on(({ call, user }) => { (call ?? user).customer.name; });",
  "shows another shape": `${right} return { ${shown}: () => ({ calls: [] }) };`,
});

const logsOnce = "on(({ isOver, call }) => { if (isOver) addOnce(call); });";
const logsById =
  "const rows = new Map(); on(({ call, isOver }) => { if (isOver) rows.set(call.id, { callId: call.id }); }); return { log: () => [...rows.values()] };";
const logsWrong = {
  "logs both the missed call and its message":
    'on(({ id, type, call }) => { if (seen.has(id)) return; seen.add(id); if (type === "call.ended" || type === "call.not_answered") add(call); });',
  "knows only calls that were answered":
    "on(({ isOver, call }) => { if (isOver && call.answeredAt !== null) addOnce(call); });",
  "knows only calls that nobody answered":
    "on(({ isOver, call }) => { if (isOver && call.answeredAt === null) addOnce(call); });",
  "takes only call.ended for the end":
    'on(({ type, call }) => { if (type === "call.ended") addOnce(call); });',
  "leaves out calls that go out":
    'on(({ isOver, call }) => { if (isOver && call.direction === "inbound") addOnce(call); });',
  "has one row for each number":
    "on(({ isOver, call }) => { if (isOver && !seen.has(call.contactNumber)) { seen.add(call.contactNumber); add(call); } });",
  "forgets nothing for the next world":
    "on(({ isOver, call }) => { if (isOver && !kept.some(({ callId }) => callId === call.id)) kept.push({ callId: call.id }); }); return { log: () => kept };",
  "still knows the ids of the last world":
    "on(({ isOver, id, call }) => { if (isOver && !keptIds.has(id)) addOnce(call); keptIds.add(id); });",
  ...always("log", logsOnce),
};

const liveRight =
  "on(({ isOver, call }) => { if (isOver) { seen.add(call.id); live.delete(call.id); } else if (!seen.has(call.id)) live.add(call.id); });";

const missedRight = `on(({ type, call, createdTimestamp: at }) => {
  if (type === "call.not_answered" && call.direction === "outbound") return;
  const last = numbers.get(call.contactNumber);
  if (last === undefined || last.at < at) numbers.set(call.contactNumber, { at, isMissed: type === "call.not_answered" });
}); return { numbers: () => [...numbers].filter(([, { isMissed }]) => isMissed).map(([number]) => number) };`;

const asksAll =
  "on(async () => { for (const { id, availability } of await users()) people[id] = availability.status; });";

const isGenuine = (digest = "headers['x-service-timestamp'] + '.' + body") =>
  `headers["x-service-signature"] === sha(${digest}) && sim.timestamp - Number(headers["x-service-timestamp"]) <= 300_000`;
const logsIf = (check: string, otherwise = "return 401") =>
  `on(({ isOver, call }, { headers, body }) => { if (!(${check})) ${otherwise}; if (isOver) addOnce(call); });`;

/** By the number of the challenge. */
export const receivers: Readonly<Record<number, Receivers>> = {
  1: {
    wrong: {
      ...logsWrong,
      "leaves out calls that were handed on":
        "on(({ isOver, call }) => { if (isOver && call.parties.length < 3) addOnce(call); });",
      "leaves out calls that the caller gave up":
        "on(({ isOver, call }) => { if (isOver && !(call.answeredAt === null && call.duration < 20_000)) addOnce(call); });",
      "logs a call whenever somebody hangs up":
        'on(({ type, call }) => { if (type === "call.hungup" || type === "call.not_answered") add(call); });',
      "logs a call of which it hears for the first time": "on(({ call }) => { addOnce(call); });",
      "logs a call when it is answered or missed":
        'on(({ type, call }) => { if (type === "call.answered" || type === "call.not_answered") addOnce(call); });',
      "forgets a call when the next one ends":
        "on(({ isOver, call }) => { if (isOver) { log.length = 0; add(call); } });",
    },
    right: {
      "goes by the end of the call": logsOnce,
      "keeps rows by the call's id": logsById,
      "goes by the type of the event":
        'on(({ type, call }) => { if (type === "call.ended" || (type === "call.not_answered" && !call.parties.some(({ type: t }) => t === "voicemail"))) if (type === "call.ended" || call.endedAt) addOnce(call); });',
    },
  },
  2: {
    wrong: {
      ...logsWrong,
      "logs whatever arrives": "on(({ isOver, call }) => { if (isOver) add(call); });",
      "remembers only the last event":
        "let last; on(({ id, isOver, call }) => { if (id !== last && isOver) add(call); last = id; });",
      "takes only the first attempt":
        "on(({ isOver, call }, { attempt }) => { if (isOver && attempt === 1) addOnce(call); });",
      "refuses what came before":
        "on(({ id, isOver, call }) => { if (isOver) add(call); if (seen.has(id)) return 409; seen.add(id); });",
      "marks an event before it has read it":
        "on(({ id, isOver, call }) => { if (seen.has(id)) return; seen.add(id); if (seen.size === 2) return 503; if (isOver) addOnce(call); });",
    },
    right: {
      "goes by the end of the call": logsOnce,
      "keeps rows by the call's id": logsById,
      "remembers the ids of events":
        "on(({ id, isOver, call }) => { if (seen.has(id)) return; seen.add(id); if (isOver) add(call); });",
    },
  },
  3: {
    wrong: {
      "goes by the last event":
        'on(({ type, call }) => { if (type === "call.started") live.add(call.id); else live.delete(call.id); });',
      "takes only call.ended for the end":
        'on(({ type, call }) => { if (type === "call.ended") live.delete(call.id); else live.add(call.id); });',
      "forgets what is over":
        "on(({ isOver, call }) => { if (isOver) live.delete(call.id); else live.add(call.id); });",
      "adds each start": 'on(({ type, call }) => { if (type === "call.started") live.add(call.id); });',
      "shows only the last call":
        "on(({ isOver, call }) => { live.clear(); if (!isOver) live.add(call.id); });",
      "counts a start and an end": `const count = new Map(); on(({ type, isOver, call }) => {
        const by = type === "call.started" ? 1 : isOver ? -1 : 0;
        count.set(call.id, (count.get(call.id) ?? 0) + by);
      }); return { board: () => ({ live: [...count].filter(([, each]) => each > 0).map(([id]) => id) }) };`,
      "knows an event by its id": `on(({ id, isOver, call }) => {
        if (seen.has(id)) return; seen.add(id); if (isOver) live.delete(call.id); else live.add(call.id);
      });`,
      "leaves out calls that go out":
        'on(({ isOver, call }) => { if (call.direction !== "inbound") return; if (isOver) { seen.add(call.id); live.delete(call.id); } else if (!seen.has(call.id)) live.add(call.id); });',
      "has one call for each number": `on(({ isOver, call }) => {
        if (isOver) { seen.add(call.id); numbers.delete(call.contactNumber); }
        else if (!seen.has(call.id)) numbers.set(call.contactNumber, call.id);
      }); return { board: () => ({ live: [...numbers.values()] }) };`,
      "lists a start once for each attempt":
        "const list = []; on(({ isOver, call }) => { if (isOver) seen.add(call.id); else list.push(call.id); }); return { board: () => ({ live: list.filter((id) => !seen.has(id)) }) };",
      "forgets nothing for the next world":
        "on(({ isOver, call }) => { if (isOver) keptIds.add(call.id); else live.add(call.id); }); return { board: () => ({ live: [...live].filter((id) => !keptIds.has(id)) }) };",
      ...always("board", liveRight),
    },
    right: {
      "remembers what is over": liveRight,
      "keeps two sets":
        "const over = new Set(); on(({ isOver, call }) => { (isOver ? over : live).add(call.id); }); return { board: () => ({ live: [...live].filter((id) => !over.has(id)) }) };",
      "keeps the newest record of each call": `const calls = new Map(); on(({ call, createdTimestamp: at }) => {
        const known = calls.get(call.id);
        if (known === undefined || known.at < at) calls.set(call.id, { at, call });
      }); return { board: () => ({ live: [...calls.values()].filter(({ call }) => call.endedAt === null).map(({ call }) => call.id) }) };`,
    },
  },
  4: {
    wrong: {
      "goes by arrival":
        'on(({ type, call }) => { if (type === "call.answered") numbers.delete(call.contactNumber); else if (call.direction === "inbound") numbers.set(call.contactNumber); });',
      "lists whom we did not reach": missedRight.replace(' && call.direction === "outbound"', " && false"),
      "takes our failed call for a conversation": missedRight
        .replace('if (type === "call.not_answered" && call.direction === "outbound") return;', "")
        .replace(
          'isMissed: type === "call.not_answered"',
          'isMissed: type === "call.not_answered" && call.direction === "inbound"',
        ),
      "does not count whom we called back": missedRight.replace(
        'type === "call.not_answered" && call.direction',
        "call.direction",
      ),
      "leaves out whoever left a message": missedRight.replace(
        "if (type",
        'if (type === "call.not_answered" && call.endedAt === null) return; if (type',
      ),
      "leaves out whoever gave up": missedRight.replace(
        "if (type",
        'if (type === "call.not_answered" && call.duration < 20_000 && call.endedAt) return; if (type',
      ),
      "never lists again whoever has spoken to us":
        'on(({ type, call }) => { const n = call.contactNumber; if (type === "call.answered") { seen.add(n); numbers.delete(n); } else if (!seen.has(n) && call.direction === "inbound") numbers.set(n); });',
      "lists a number for each missed call": `const list = []; on(({ id, type, call }) => {
        if (seen.has(id)) return; seen.add(id);
        if (type === "call.answered") { for (let i = list.length - 1; i >= 0; i--) if (list[i] === call.contactNumber) list.splice(i, 1); }
        else if (call.direction === "inbound") list.push(call.contactNumber);
      }); return { numbers: () => list };`,
      "never takes a number off":
        'on(({ type, call }) => { if (type === "call.not_answered" && call.direction === "inbound") numbers.set(call.contactNumber); });',
      "lists calls in place of numbers": missedRight.replaceAll("call.contactNumber", "call.id"),
      "forgets nothing for the next world":
        'on(({ type, call }) => { if (type === "call.answered") keptIds.add(call.contactNumber); else if (call.direction === "inbound" && !keptIds.has(call.contactNumber)) numbers.set(call.contactNumber); });',
      ...always("numbers", missedRight.replace(/ return \{.*$/, "")),
    },
    right: {
      "keeps the newest call of each number": missedRight,
      "keeps two times": `const [missed, spoken] = [new Map(), new Map()]; on(({ type, call, createdTimestamp: at }) => {
        if (type === "call.not_answered" && call.direction === "outbound") return;
        const times = type === "call.answered" ? spoken : missed;
        times.set(call.contactNumber, Math.max(at, times.get(call.contactNumber) ?? 0));
      }); return { numbers: () => [...missed.keys()].filter((n) => missed.get(n) > (spoken.get(n) ?? 0)) };`,
      "sorts all events when it is asked": `const all = new Map(); on((event) => { all.set(event.id, event); });
        return { numbers: () => {
          const due = new Set();
          for (const { type, call } of [...all.values()].sort((a, b) => a.createdTimestamp - b.createdTimestamp))
            if (type === "call.answered") due.delete(call.contactNumber);
            else if (call.direction === "inbound") due.add(call.contactNumber);
          return [...due];
        } };`,
    },
  },
  5: {
    wrong: {
      "goes by what each event says": "on(({ user }) => { people[user.id] = user.availability.status; });",
      "asks only about the user of the event":
        "on(async ({ user }) => { for (const { id, availability } of await users()) if (id === user.id) people[id] = availability.status; });",
      "asks only once":
        "on(async ({ user }) => { if (seen.size === 0) for (const { id, availability } of await users()) people[id] = availability.status; seen.add(1); });",
      "knows only who is busy":
        'on(async () => { for (const { id, availability } of await users()) if (availability.status === "busy") people[id] ??= "busy"; });',
      "says of everybody that they are available":
        'on(async () => { for (const { id } of await users()) people[id] = "available"; });',
      "reads only the first of the list":
        "on(async () => { for (const { id, availability } of (await users()).slice(0, 1)) people[id] = availability.status; });",
      "shows truth and falsehood":
        'on(async () => { for (const { id, availability } of await users()) people[id] = availability.status === "busy"; });',
      "does not overwrite what it knows":
        "on(async () => { for (const { id, availability } of await users()) people[id] ??= availability.status; });",
      "shows names in place of ids":
        "on(async () => { for (const { displayName, availability } of await users()) people[displayName] = availability.status; });",
      "asks without a token":
        'on(async () => { for (const { id, availability } of (await (await sim.fetch("/users")).json()).users) people[id] = availability.status; });',
      "asks an hour later":
        "on(() => { sim.schedule('PT1H', () => {}); setTimeout(async () => { for (const { id, availability } of await users()) people[id] = availability.status; }, 3_600_000); });",
      "asks a path that is not there":
        'on(async () => { for (const { id, availability } of (await users("/people")) ?? []) people[id] = availability.status; });',
      ...always("board", asksAll),
    },
    right: {
      "asks about everybody at each event": asksAll,
      "makes a new board at each event":
        "let board = {}; on(async () => { board = Object.fromEntries((await users()).map(({ id, availability }) => [id, availability.status])); }); return { board: () => ({ people: board }) };",
      "asks and then believes the event, if that is the newest": `on(async ({ user }) => {
        people[user.id] = user.availability.status;
        for (const { id, availability } of await users()) people[id] = availability.status;
      });`,
    },
  },
  6: {
    wrong: {
      "keeps its log in memory": logsOnce,
      "stores once it has answered":
        "on(({ isOver, call }) => { if (isOver) setTimeout(() => store(call), 0); });",
      "stores a minute later":
        "on(({ isOver, call }) => { if (isOver) setTimeout(() => store(call), 60_000); });",
      "stores only the ids of events":
        "const ids = stored; on(({ id, isOver, call }) => { if (ids.has(id)) return; if (isOver) add(call); ids.set(id, 1); }); return { log: () => log };",
      "marks an event before it stores the call":
        "on(async ({ id, isOver, call }) => { if (stored.has(id)) return; stored.set(id, 0); await new Promise((go) => setTimeout(go, 100)); if (isOver) stored.set(call.id, { callId: call.id }); }); return { log: () => [...stored.values()].filter(Boolean) };",
      "stores a row for each request":
        "on(({ isOver, call }) => { if (isOver) stored.set(stored.size, { callId: call.id }); });",
      "empties its store when it starts":
        "stored.clear(); on(({ isOver, call }) => { if (isOver) store(call); });",
      "stores every third call":
        "on(({ isOver, call }) => { if (isOver) addOnce(call); if (log.length % 3 === 0) for (const row of log) stored.set(row.callId, row); }); return { log: () => [...stored.values()] };",
      "logs both the missed call and its message":
        "on(({ id, call }) => { stored.set(id, { callId: call.id }); });",
      "knows only calls that were answered":
        "on(({ isOver, call }) => { if (isOver && call.answeredAt !== null) store(call); });",
      "takes only call.ended for the end":
        'on(({ type, call }) => { if (type === "call.ended") store(call); });',
      "forgets nothing for the next world": logsWrong["forgets nothing for the next world"],
      ...always("log", "on(({ isOver, call }) => { if (isOver) store(call); });"),
    },
    right: {
      "stores the row before it answers": "on(({ isOver, call }) => { if (isOver) store(call); });",
      "stores events, and reads them when it is asked": `on((event) => { stored.set(event.id, event); });
        return { log: () => [...new Set([...stored.values()].filter(({ isOver }) => isOver).map(({ call }) => call.id))].map((callId) => ({ callId })) };`,
      "reads its store when it starts":
        "for (const row of stored.values()) log.push(row); on(({ isOver, call }) => { if (isOver) { store(call); addOnce(call); } }); return { log: () => log };",
    },
  },
  7: {
    wrong: {
      "believes everybody": logsOnce,
      "looks only whether there is a signature": logsIf('headers["x-service-signature"] !== undefined'),
      "does not look at the time": logsIf(
        'headers["x-service-signature"] === sha(headers["x-service-timestamp"] + "." + body)',
      ),
      "allows for a day": logsIf(isGenuine().replace("300_000", "86_400_000")),
      "compares the beginning": logsIf(
        'sha(headers["x-service-timestamp"] + "." + body).startsWith(headers["x-service-signature"] ?? "-") && sim.timestamp - headers["x-service-timestamp"] <= 300_000',
      ),
      "takes a secret that is not set for none": logsIf(
        '[sha(headers["x-service-timestamp"] + "." + body), sha(headers["x-service-timestamp"] + "." + body, "")].includes(headers["x-service-signature"]) && sim.timestamp - headers["x-service-timestamp"] <= 300_000',
      ),
      "signs only the time": logsIf(isGenuine("headers['x-service-timestamp']")),
      "signs only the body": logsIf(isGenuine("body")),
      "signs the id in place of the body": logsIf(
        isGenuine("headers['x-service-timestamp'] + '.' + call.id"),
      ),
      "answers 204 to what is forged, and logs it": logsIf(isGenuine(), "addOnce(call)"),
      "refuses everybody": "on(() => 401);",
      "takes what has no signature at all": logsIf(
        `headers["x-service-signature"] === undefined || (${isGenuine()})`,
      ),
      "logs before it looks": `on(({ isOver, call }, { headers, body }) => { if (isOver) addOnce(call); if (!(${isGenuine()})) return 401; });`,
      "takes only call.ended for the end": `on(({ type, call }, { headers, body }) => { if (!(${isGenuine()})) return 401; if (type === "call.ended") addOnce(call); });`,
      "forgets nothing for the next world": logsWrong["forgets nothing for the next world"],
      ...always("log", logsIf(isGenuine())),
    },
    right: {
      "looks at signature and time": logsIf(isGenuine()),
      "looks at the time first": logsIf(
        `sim.timestamp - Number(headers["x-service-timestamp"] ?? 0) <= 300_000 && headers["x-service-signature"] === sha(headers["x-service-timestamp"] + "." + body)`,
      ),
      "looks at each request before it reads it": `sim.network.route("https://app.test/hooks", ({ headers, body }) => {
        if (!(${isGenuine()})) return { status: 403 };
        const { call } = JSON.parse(body).data;
        if (call.endedAt !== null) addOnce(call);
        return { status: 200 };
      });`,
    },
  },
};
