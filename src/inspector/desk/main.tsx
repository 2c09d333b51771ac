/** The desk of a server: a phone for each person, with the buttons that the state allows. `/desk/alice` shows one. */
import { render } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { Desk, DeskButton, DeskCall, DeskPhone, DeskTarget } from "./desk.ts";

/** How often the phones are asked for, ms. */
const POLL_MS = 500;
/** The number from which somebody outside calls, unless they type another. */
const CALLER = "+6421555001";

/** The address of the server or the world, and whose phone the page shows; undefined for all. */
const [, base = "", only] = /^(.*?)\/desk(?:\/([^/]*))?\/?$/.exec(location.pathname) ?? [];
const token = new URLSearchParams(location.search).get("token");
const headers: Record<string, string> = {
  "content-type": "application/json",
  ...(token === null ? {} : { authorization: `Bearer ${token}` }),
};

/** Asks the control plane. @throws {Error} what it answers, in words */
async function ask(path: string, body?: unknown): Promise<Response> {
  const answer = await fetch(`${base}/_sim/${path}`, {
    headers,
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  if (answer.ok) return answer;
  const { message } = (await answer.json().catch(() => ({}))) as { message?: string };
  throw new Error(message ?? `the server answered ${answer.status}`);
}

/** What a phone does when a button is pressed. */
type Press = (command: string, args: object) => void;

function Page() {
  const [desk, setDesk] = useState<Desk>();
  const [problem, setProblem] = useState("");
  const load = async () => {
    const answer = await ask("desk");
    setDesk((await answer.json()) as Desk);
  };
  useEffect(() => {
    let timer: number | undefined;
    const follow = async () => {
      await load().catch((error: Error) => setProblem(error.message));
      timer = window.setTimeout(follow, POLL_MS);
    };
    void follow();
    return () => clearTimeout(timer);
  }, []);
  const press: Press = async (command, args) => {
    try {
      await ask(`commands/${command}`, args);
      setProblem("");
      await load();
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  if (desk === undefined) return <p class="waiting">{problem === "" ? "Connecting …" : problem}</p>;
  const phones = desk.phones.filter(({ id }) => only === undefined || id === decodeURIComponent(only));
  return (
    <>
      <header>
        <h1>{desk.title}</h1>
        <time dateTime={desk.now}>{clockText(desk)}</time>
        {only === undefined && <SaveButton title={desk.title} fail={setProblem} />}
        <a href={`${base}/${location.search}`}>What happens</a>
      </header>
      <p class="problem" role="status">
        {problem}
      </p>
      {phones.length === 0 && (
        <p class="waiting">
          Nobody here is called {only}. <a href={`${base}/desk${location.search}`}>All phones</a>
        </p>
      )}
      <main class={only === undefined ? "all" : "one"}>
        {phones.map((phone) => (
          <Phone key={phone.id} phone={phone} desk={desk} press={press} />
        ))}
      </main>
    </>
  );
}

function Phone({ phone, desk, press }: { phone: DeskPhone; desk: Desk; press: Press }) {
  const isOutside = phone.id === "outside";
  const isRinging = phone.calls.some(({ text }) => text.startsWith("rings"));
  return (
    <section class={isRinging ? "phone rings" : "phone"} aria-label={phone.name}>
      <h2>
        {only === undefined ? (
          <a href={`${base}/desk/${phone.id}${location.search}`}>{phone.name}</a>
        ) : (
          phone.name
        )}
        {phone.state !== "" && <span class="state">{phone.state}</span>}
      </h2>
      <p class="about">{phone.about}</p>
      {phone.calls.map((call) => (
        <Call key={call.id} call={call} phone={phone} desk={desk} press={press} />
      ))}
      {isOutside ? <DialIn desk={desk} press={press} /> : <DialOut phone={phone} desk={desk} press={press} />}
      <Buttons buttons={phone.buttons} press={press} />
    </section>
  );
}

function Call({ call, phone, desk, press }: { call: DeskCall; phone: DeskPhone; desk: Desk; press: Press }) {
  const give = (command: string, more: object) => (target: string) =>
    press(command, { call: call.id, target, by: phone.id, ...more });
  return (
    <div class="call">
      <p>{call.text}</p>
      <Buttons buttons={call.buttons} press={press} />
      {call.canHandOver && (
        <Ask label="Transfer to" targets={desk.extensions}>
          {[
            ["Transfer", give("transfer", {})],
            ["Ask first", give("transfer", { warm: true })],
            ["Add", give("add", {})],
          ]}
        </Ask>
      )}
    </div>
  );
}

function Buttons({ buttons, press }: { buttons: readonly DeskButton[]; press: Press }) {
  if (buttons.length === 0) return null;
  return (
    <div class="buttons">
      {buttons.map(({ label, command, args }) => (
        <button
          key={label}
          type="button"
          class={command}
          onClick={() => press(command, command === "leaveVoicemail" ? { duration: "PT10S", ...args } : args)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

/** Somebody outside calls a number of the organisation. */
function DialIn({ desk, press }: { desk: Desk; press: Press }) {
  const from = useRef<HTMLInputElement>(null);
  return (
    <>
      <label class="dial">
        <span>From</span>
        <input ref={from} defaultValue={CALLER} inputMode="tel" />
      </label>
      <Ask label="Number" targets={desk.numbers}>
        {[["Call", (to) => press("inbound", { from: from.current?.value ?? CALLER, to })]]}
      </Ask>
    </>
  );
}

/** Somebody inside calls an extension, or a number outside. */
function DialOut({ phone, desk, press }: { phone: DeskPhone; desk: Desk; press: Press }) {
  const targets = desk.extensions.filter(({ name }) => name !== phone.name);
  return (
    <Ask label="Dial" targets={targets}>
      {[["Call", (to) => press(to.startsWith("+") ? "outbound" : "internal", { from: phone.id, to })]]}
    </Ask>
  );
}

/** A field with what can be dialled, and a button for each thing to do with it. */
function Ask(props: {
  label: string;
  targets: readonly DeskTarget[];
  children: readonly (readonly [label: string, act: (target: string) => void])[];
}) {
  const { label, targets, children } = props;
  const field = useRef<HTMLInputElement>(null);
  const list = useId();
  return (
    <div class="dial">
      <label>
        <span>{label}</span>
        <input ref={field} list={list} defaultValue={targets[0]?.target ?? ""} inputMode="tel" />
      </label>
      <datalist id={list}>
        {targets.map(({ target, name }) => (
          <option key={target} value={target}>
            {name}
          </option>
        ))}
      </datalist>
      {children.map(([text, act]) => (
        <button key={text} type="button" onClick={() => act(field.current?.value.trim() ?? "")}>
          {text}
        </button>
      ))}
    </div>
  );
}

/** Offers the run so far as a scenario file. */
function SaveButton({ title, fail }: { title: string; fail: (problem: string) => void }) {
  const save = async () => {
    try {
      const text = await (await ask("scenario")).text();
      const link = document.createElement("a");
      link.href = `data:text/yaml;charset=utf-8,${encodeURIComponent(text)}`;
      link.download = `${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}.yaml`;
      link.click();
    } catch (error) {
      fail((error as Error).message);
    }
  };
  return (
    <button type="button" onClick={save}>
      Save as scenario
    </button>
  );
}

/** The time of day where the organisation is. */
function clockText({ timestamp, timezone }: Desk): string {
  return new Date(timestamp).toLocaleTimeString("en-GB", { timeZone: timezone });
}

const root = document.getElementById("app");
if (root === null) throw new Error("the page has no element app");
root.replaceChildren();
render(<Page />, root);
