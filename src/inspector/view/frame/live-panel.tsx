import { useState } from "preact/hooks";
import type { LiveSource } from "../../data.ts";
import { Mark } from "../common/marks.tsx";
import { useActions, useSelect } from "../state/context.ts";

/** In the head of a page from a server: whether the server still answers. */
export function LiveChip() {
  const live = useSelect((state) => state.live);
  if (live === undefined) return null;
  const text = {
    connecting: "Connecting",
    locked: "Needs a token",
    lost: "Not connected",
    connected: live.isHeld ? "Held" : "Live",
  }[live.is];
  const isBad = live.is === "lost" || live.is === "locked";
  const why = live.isHeld ? "Updates are held until you return to the run." : live.problem;
  return (
    <span class={`live ${isBad ? "bad" : live.is}`} role="status" title={why}>
      <Mark name={isBad ? "failed" : live.is === "connected" ? "answer" : "timer"} small />
      {text}
    </span>
  );
}

const steps: readonly (readonly [string, string])[] = [
  ["PT1S", "1 s"],
  ["PT10S", "10 s"],
  ["PT1M", "1 min"],
  ["PT1H", "1 h"],
];

/** In the left panel of a live page: the server, and a way to move its virtual time. */
export function ServerSection() {
  const actions = useActions();
  const live = useSelect((state) => state.live);
  const source = useSelect((state) => state.data.live);
  if (live === undefined || source === undefined) return null;
  const now = live.timestamp === undefined ? "" : new Date(live.timestamp).toISOString();
  return (
    <div class="section">
      <div class="section-head">
        <h2>This server</h2>
      </div>
      <dl class="server">
        {now !== "" && (
          <>
            <dt>Its time</dt>
            <dd class="num">{now}</dd>
          </>
        )}
        {source.about.map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
      </dl>
      {live.is === "connected" && <MakeCall source={source} />}
      {source.isVirtual && live.is === "connected" && (
        <div class="bar" role="group" aria-label="Let time pass">
          <span class="muted">Let pass</span>
          {steps.map(([duration, name]) => (
            <button
              type="button"
              class="mini"
              key={duration}
              onClick={() => void actions.runs.advance(duration)}
            >
              {name}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

/** Who calls from outside. */
const CALLER = "+6421555001";

/** Makes a webhook and calls, without another program. */
function MakeCall({ source }: { source: LiveSource }) {
  const { runs } = useActions();
  return (
    <>
      <form
        class="bar"
        onSubmit={(event) => {
          event.preventDefault();
          const url = new FormData(event.currentTarget).get("url");
          void runs.command("createWebhook", { url, events: ["*"] });
        }}
      >
        <label for="app-address">Send events to your app at</label>
        <input
          id="app-address"
          name="url"
          type="url"
          required
          placeholder={source.allowsLocal ? "http://localhost:3000/hooks" : "https://app.example.com/hooks"}
          aria-describedby={source.allowsLocal ? undefined : "app-local"}
        />
        <button type="submit" class="mini">
          Send
        </button>
      </form>
      {!source.allowsLocal && (
        <p class="muted" id="app-local">
          For an app on this computer, restart with <code>--allow-local</code>.
        </p>
      )}
      <div class="bar" role="group" aria-label="Make a call">
        <span class="muted">Call</span>
        {source.numbers.map(([number, name]) => (
          <button
            type="button"
            class="mini"
            key={number}
            title={number}
            onClick={() => void runs.command("inbound", { from: CALLER, to: number })}
          >
            {name}
          </button>
        ))}
      </div>
      {source.hasDesk && (
        <p>
          <a class="link" href="desk">
            Everybody's phones
          </a>
          : answer, decline, hang up.
        </p>
      )}
    </>
  );
}

/** Shown instead of the ladder until the server's run has come. */
export function LiveWaiting() {
  const actions = useActions();
  const live = useSelect((state) => state.live);
  const [token, setToken] = useState("");
  if (live === undefined) return null;
  if (live.is !== "locked")
    return (
      <div class="waiting" role="status">
        <span>
          {live.is === "lost"
            ? `The server does not answer: ${live.problem}. Trying again.`
            : "Asking the server for its run"}
        </span>
      </div>
    );
  return (
    <div class="waiting">
      <p>The server needs the token that it printed when it was started.</p>
      {live.problem !== "" && <p role="alert">{live.problem}</p>}
      <div class="bar">
        <label for="token">Token</label>
        <input
          id="token"
          class="select"
          type="password"
          autocomplete="off"
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") actions.runs.live?.start(token.trim());
          }}
        />
        <button type="button" class="button primary" onClick={() => actions.runs.live?.start(token.trim())}>
          Show the run
        </button>
      </div>
    </div>
  );
}
