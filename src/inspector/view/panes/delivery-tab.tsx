import type { AttemptView, DeliveryView, Detail, RequestView } from "../../model/detail.ts";
import type { Outcome } from "../../model/types.ts";
import { exactClock, lengthText } from "../common/format.ts";
import { Mark, outcomeMarks } from "../common/marks.tsx";
import { useActions, useSelect } from "../state/context.ts";
import { useWriteTime } from "../state/use-clock.ts";

/** The request, its signature, the answer, and the other attempts. */
export function DeliveryTab({ detail }: { detail: Detail }) {
  const { deliveries, request } = detail;
  if (request !== undefined)
    return (
      <>
        <RequestCard title={`Request, ${request.why}`} request={request.request} />
        <AnswerCard answer={request.answer} failure={request.outcome.text} kind={request.outcome.kind} />
      </>
    );
  if (deliveries.length === 0)
    return (
      <p class="muted">
        {detail.event === undefined ? "Only events are delivered." : "No webhook asks for this event."}
      </p>
    );
  return (
    <>
      {deliveries.map((delivery) => (
        <DeliveryPart key={delivery.id} delivery={delivery} />
      ))}
    </>
  );
}

function DeliveryPart({ delivery }: { delivery: DeliveryView }) {
  const actions = useActions();
  const time = useWriteTime();
  const row = useSelect((state) => state.run?.rows[state.now]);
  const { attempts, nextMs, state, reason, url } = delivery;
  const number = row?.deliveries.find(({ id }) => id === delivery.id)?.attempt || attempts.length;
  const chosen = attempts.find((each) => each.number === number) ?? attempts[0];
  return (
    <>
      <p class="muted">
        {delivery.type} to {url}
      </p>
      <ol class="thread">
        {attempts.map((attempt, index) => (
          <AttemptLine
            key={attempt.number}
            attempt={attempt}
            next={attempts[index + 1]?.atMs ?? nextMs}
            isChosen={attempt === chosen}
            end={index === attempts.length - 1 ? endText(state, reason) : ""}
          />
        ))}
        {nextMs !== undefined && (
          <li>
            <div class="bar">
              <Mark name="retry" />
              <span>
                Attempt {attempts.length + 1} is due at <b class="num">{time(nextMs)}</b>
              </span>
            </div>
          </li>
        )}
      </ol>
      {chosen !== undefined && (
        <>
          <SignatureCard attempt={chosen} />
          <RequestCard title={`Request, attempt ${chosen.number}`} request={chosen.request} />
          <AnswerCard
            answer={chosen.answer}
            failure={chosen.failure ?? "under way"}
            kind={chosen.outcome.kind}
            waitedMs={chosen.endMs === undefined ? undefined : chosen.endMs - chosen.atMs}
          />
          <div class="bar">
            <button
              type="button"
              class="button"
              onClick={() => void actions.links.copy(curlOf(chosen.request), "the request as curl")}
            >
              Copy as curl
            </button>
            <button
              type="button"
              class="button"
              onClick={() => void actions.links.copy(headersOf(chosen.request.headers), "the headers")}
            >
              Copy headers
            </button>
          </div>
        </>
      )}
    </>
  );
}

function endText(state: string, reason: string | null): string {
  if (state === "delivered") return "delivered";
  if (state === "givenUp")
    return reason === "rejected"
      ? "given up: such an answer is not tried again"
      : "given up: no attempt is left";
  return state === "dropped" ? "dropped: the webhook is off" : "";
}

function AttemptLine({
  attempt,
  next,
  isChosen,
  end,
}: {
  attempt: AttemptView;
  next: number | undefined;
  isChosen: boolean;
  end: string;
}) {
  const actions = useActions();
  const time = useWriteTime();
  const again = next === undefined ? end : `tried again after ${lengthText(next - attempt.atMs)}`;
  const text = `Attempt ${attempt.number}: ${attempt.outcome.text}`;
  return (
    <li>
      <button
        type="button"
        aria-current={isChosen ? "step" : undefined}
        onClick={() => attempt.row !== undefined && actions.playback.select(attempt.row)}
      >
        <Mark name={outcomeMarks[attempt.outcome.kind]} />
        {isChosen ? <b>{text}</b> : <span>{text}</span>}
        <span class="muted num">{time(attempt.atMs)}</span>
        <span class="after">{again}</span>
      </button>
    </li>
  );
}

function SignatureCard({ attempt }: { attempt: AttemptView }) {
  const { signature, request } = attempt;
  if (signature === undefined) return null;
  const hmac = Object.entries(request.headers).find(([name]) => name.endsWith("-signature"))?.[1] ?? "";
  return (
    <div class="card">
      <h3>
        <Mark name={signature.isValid ? "delivered" : "failed"} />
        {signature.isValid ? "Signature verifies" : `Signature does not verify: ${signature.reason}`}
      </h3>
      <dl>
        <dt>Signed</dt>
        <dd class="num">{exactClock(attempt.atMs)}, 0 s old (limit 5 min)</dd>
        <dt>Over</dt>
        <dd class="mono">timestamp.body, {signature.bytes} bytes</dd>
        <dt>HMAC</dt>
        <dd class="mono" title={hmac}>
          {hmac.length > 30 ? `${hmac.slice(0, 30)}…` : hmac}
        </dd>
      </dl>
    </div>
  );
}

function RequestCard({ title, request }: { title: string; request: RequestView }) {
  return (
    <div class="card">
      <h3>{title}</h3>
      <pre tabindex={0}>
        {[`${request.method} ${request.url}`, headersOf(request.headers)].filter(Boolean).join("\n")}
      </pre>
      {request.body !== "" && (
        <details open={Object.keys(request.headers).length === 0}>
          <summary class="muted">Body</summary>
          <pre tabindex={0}>{pretty(request.body)}</pre>
        </details>
      )}
    </div>
  );
}

function AnswerCard({
  answer,
  failure,
  kind,
  waitedMs,
}: {
  answer: AttemptView["answer"];
  failure: string;
  kind: Outcome["kind"];
  waitedMs?: number | undefined;
}) {
  return (
    <div class="card">
      <h3>
        <Mark name={outcomeMarks[kind]} />
        {answer === undefined ? "No answer" : `Answer ${answer.status}`}
      </h3>
      {answer === undefined ? (
        <p>
          {failure === "lost"
            ? "The network lost it."
            : failure === "timeout"
              ? "The endpoint said nothing."
              : failure}
          {waitedMs === undefined || waitedMs === 0 ? "" : ` Given up waiting after ${lengthText(waitedMs)}.`}
        </p>
      ) : (
        <pre tabindex={0}>
          {[headersOf(answer.headers), pretty(answer.body)].filter(Boolean).join("\n\n") || "(empty)"}
        </pre>
      )}
    </div>
  );
}

function headersOf(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    // not JSON, so unchanged
    return body;
  }
}

/** Quotes for a shell, where nothing inside single quotes has a meaning. */
function curlOf({ method, url, headers, body }: RequestView): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const lines = Object.entries(headers).map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`);
  return [`curl -X ${method} ${quoted(url)}`, ...lines, `  --data-raw ${quoted(body)}`].join(" \\\n");
}
