import { useEffect, useRef } from "preact/hooks";
import type { UnexplainedRequest } from "../../data.ts";
import type { Detail as DetailOf } from "../../model/detail.ts";
import { counted, exactClock } from "../common/format.ts";
import { Icon, Mark } from "../common/marks.tsx";
import type { Tab } from "../common/share.ts";
import { useActions, useAnswer, useSelect } from "../state/context.ts";
import { DeliveryTab } from "./delivery-tab.tsx";
import { ForkTab } from "./fork-tab.tsx";
import { MachineTab } from "./machine-tab.tsx";
import { PayloadTab } from "./payload-tab.tsx";
import { WhyTab } from "./why-tab.tsx";

/** The right panel, with everything about the chosen row. */
export function DetailPane() {
  const run = useSelect((state) => state.run);
  const now = useSelect((state) => state.now);
  const row = run?.rows[now];
  const given = run === undefined || row === undefined ? undefined : { run: run.number, row: now };
  const { got: detail, error } = useAnswer("detail", given);
  if (run === undefined || row === undefined) return <aside aria-label="Detail" />;
  return (
    <aside aria-label="Detail">
      <Head />
      <Tabs
        detail={detail}
        hasEvent={row.event !== undefined}
        attempts={Math.max(0, ...row.deliveries.map(({ attemptCount }) => attemptCount))}
      />
      <Body detail={detail} error={error} />
    </aside>
  );
}

function Head() {
  const actions = useActions();
  const row = useSelect((state) => state.run?.rows[state.now]);
  const summary = useSelect((state) => state.run?.summary);
  const close = useRef<HTMLButtonElement>(null);
  const isOpen = useSelect((state) => state.isOpen);
  useEffect(() => {
    if (isOpen && globalThis.innerWidth <= 760) close.current?.focus();
  }, [isOpen]);
  if (row === undefined || summary === undefined) return null;
  const record = summary.records[row.record];
  const at = new Date(summary.startMs + row.atMs).toISOString();
  return (
    <div class="detail-head">
      <div>
        <Mark name={row.kind} />
        <h2>
          {row.subject} {row.verb}
        </h2>
        <button
          type="button"
          class="button plain square close-detail"
          aria-label="Close detail"
          ref={close}
          onClick={() => actions.escape()}
        >
          <Icon d="M4 4l8 8m0-8-8 8" />
        </button>
      </div>
      <div class="meta num">
        <span>{exactClock(row.atMs)}</span>
        <span title={at}>{at.slice(11, 19)}Z</span>
        {record !== undefined && (
          <span>
            {record.kind} {record.label}
          </span>
        )}
        {row.detail !== "" && row.unexplained === undefined && <span>{row.detail}</span>}
      </div>
      {row.assumed?.map((what) => (
        <p class="reason" key={what}>
          <span class="assumed">Assumed:</span> {what}
        </p>
      ))}
      {row.unexplained !== undefined && <Unexplained request={row.unexplained} />}
    </div>
  );
}

/** Why no run explains a request of a capture, and what follows from it. */
function Unexplained({ request }: { request: UnexplainedRequest }) {
  const { line, because, nearest, follows } = request;
  return (
    <>
      <p class="reason">
        Line {line} of the capture: {because}
      </p>
      {nearest !== undefined && <p class="reason muted">The nearest in this run: {nearest}</p>}
      {follows.length > 0 && (
        <details class="reason">
          <summary>
            {counted(follows.length, "more line")} {follows.length === 1 ? "follows" : "follow"} from it
          </summary>
          <ul>
            {follows.map((other) => (
              <li key={other.line}>
                line {other.line}, {other.event}: {other.because}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

const order: readonly Tab[] = ["payload", "delivery", "machine", "why", "fork"];

function Tabs({
  detail,
  hasEvent,
  attempts,
}: {
  detail: DetailOf | undefined;
  hasEvent: boolean;
  attempts: number;
}) {
  const actions = useActions();
  const tab = useSelect((state) => state.tab);
  const names: Readonly<Record<Tab, string>> = {
    payload: hasEvent ? "Payload" : "Step",
    delivery: detail?.request === undefined ? "Delivery" : "Request",
    machine: "Machine",
    why: "Why not?",
    fork: "Fork",
  };
  return (
    <div
      class="tabs"
      role="tablist"
      aria-label="Detail"
      onKeyDown={(event) => {
        const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
        const next = order[order.indexOf(tab) + by];
        if (by === 0 || next === undefined) return;
        event.preventDefault();
        actions.view.tab(next);
        document.getElementById(`tab-${next}`)?.focus();
      }}
    >
      {order.map((each) => (
        <button
          type="button"
          key={each}
          id={`tab-${each}`}
          role="tab"
          aria-selected={tab === each}
          aria-controls="detail-body"
          tabindex={tab === each ? 0 : -1}
          onClick={() => actions.view.tab(each)}
        >
          {names[each]}
          {each === "delivery" && attempts > 1 && <span class="count">{attempts}</span>}
        </button>
      ))}
    </div>
  );
}

function Body({ detail, error }: { detail: DetailOf | undefined; error: string }) {
  const tab = useSelect((state) => state.tab);
  return (
    <div class="detail-body" role="tabpanel" id="detail-body" aria-labelledby={`tab-${tab}`} tabindex={0}>
      {error !== "" && <p class="muted">{error}</p>}
      {tab === "payload" && detail !== undefined && <PayloadTab detail={detail} />}
      {tab === "delivery" && detail !== undefined && <DeliveryTab detail={detail} />}
      {tab === "machine" && <MachineTab />}
      {tab === "why" && <WhyTab />}
      {tab === "fork" && <ForkTab />}
    </div>
  );
}
