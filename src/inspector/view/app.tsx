import { useEffect } from "preact/hooks";
import { followTheme, showTheme } from "../../look/theme.ts";
import { HeadlineCause } from "./busy/headline.tsx";
import { Overview } from "./busy/overview.tsx";
import { counted } from "./common/format.ts";
import { Mark, MarkShapes } from "./common/marks.tsx";
import { FailureBanner } from "./failure/banner.tsx";
import { WorldPage } from "./failure/world.tsx";
import { AppBar, SiteHeader } from "./frame/header.tsx";
import { keyList } from "./frame/keys.ts";
import { LiveWaiting } from "./frame/live-panel.tsx";
import { Compare } from "./ladder/compare.tsx";
import { Ladder } from "./ladder/ladder.tsx";
import { DetailPane } from "./panes/detail-pane.tsx";
import { Left } from "./panes/left.tsx";
import { Editor } from "./playground/editor.tsx";
import { AgeNotice, Invitation, VerdictBar } from "./playground/verdict.tsx";
import { isBlank, isWide, type PageActions } from "./state/actions.ts";
import { ActionsContext, useActions, useSelect } from "./state/context.ts";
import { isOld } from "./state/verdict-words.ts";
import { Scrubber } from "./strip/scrubber.tsx";
import { Codes } from "./teach/codes.tsx";
import { Sheet } from "./teach/sheet.tsx";
import { QuestionPane, TeachHeader } from "./teach/teach.tsx";

/** `?embed`: only the run or the question, for a slide. */
const isEmbedded = new URLSearchParams(location.search).has("embed");

export function App({ actions }: { actions: PageActions }) {
  return (
    <ActionsContext.Provider value={actions}>
      <MarkShapes />
      {!isEmbedded && (
        <SiteHeader site={actions.state.data.site} toggleTheme={() => actions.view.toggleTheme()} />
      )}
      <Page />
    </ActionsContext.Provider>
  );
}

function Page() {
  const actions = useActions();
  const theme = useSelect((state) => state.theme);
  const mode = useSelect((state) => state.mode);
  const hasDrawer = useSelect((state) => state.hasDrawer);
  const isOpen = useSelect((state) => state.isOpen);
  const isTeaching = useSelect((state) => state.teaching !== undefined);
  const isWhole = useSelect(isWide);
  const isEmpty = useSelect(isBlank);
  const hasSheet = useSelect((state) => state.sheet !== undefined);
  const showsCodes = useSelect((state) => state.showsCodes);
  const cover = useSelect((state) => state.cover);
  useEffect(() => {
    showTheme(theme);
  }, [theme]);
  useEffect(() => followTheme((theme) => actions.store.set({ theme })), [actions]);
  if (showsCodes) return <Codes />;
  if (cover !== "") return <main class="waiting">{cover}</main>;
  if (hasSheet) return <Sheet />;
  const classes = [
    "page",
    isEmbedded && "embed",
    mode === "play" && !isTeaching && "play",
    hasDrawer && "drawer",
    isOpen && "open",
    isTeaching && "teach",
    isWhole && "busy",
  ];
  return (
    <div
      class={classes.filter(Boolean).join(" ")}
      onDragOver={(event) => mode === "play" && event.preventDefault()}
      onDrop={(event) => {
        const [file] = event.dataTransfer?.files ?? [];
        if (mode !== "play" || file === undefined) return;
        event.preventDefault();
        void actions.playground.openFile(file);
      }}
    >
      {isTeaching ? (
        <>
          <TeachHeader />
          <Main />
          <QuestionPane />
        </>
      ) : (
        <>
          <AppBar />
          {mode === "play" && <VerdictBar />}
          {mode === "play" ? <Editor /> : !isWhole && <Left />}
          <Main />
          {!isWhole && <DetailPane />}
          {!isWhole && <Peek />}
          {!isWhole && !isEmpty && <Scrubber />}
        </>
      )}
      <Keys />
      <Toast />
    </div>
  );
}

function Main() {
  const actions = useActions();
  const status = useSelect((state) => state.status);
  const progress = useSelect((state) => state.progress);
  const error = useSelect((state) => state.error);
  const isDead = useSelect((state) => state.isDead);
  const isComparing = useSelect((state) => state.isComparing);
  const hasRun = useSelect((state) => state.run !== undefined);
  const isLive = useSelect((state) => state.live !== undefined && state.mode === "inspect");
  const isFork = useSelect((state) => state.opened !== undefined);
  const showsCalls = useSelect((state) => state.showsCalls && state.mode === "inspect");
  const showsWorld = useSelect((state) => state.showsWorld && state.mode === "inspect");
  const isEmpty = useSelect(isBlank);
  const isOldRun = useSelect((state) => state.mode === "play" && isOld(state));
  return (
    <main
      class={isOldRun ? "old" : ""}
      aria-label={showsWorld ? "Failure" : showsCalls ? "Overview" : "Ladder"}
    >
      {isDead && (
        <div class="notice bad" role="alert">
          <Mark name="failed" />
          <span class="grow">The simulator in this page has ended: {error}.</span>
          <button type="button" class="mini" onClick={() => void actions.restart()}>
            Start again
          </button>
        </div>
      )}
      {!showsWorld && (isFork ? <ForkNotice /> : <FailureBanner />)}
      {!showsWorld && <Notices />}
      <HeadlineCause />
      {hasRun && !isEmpty && (showsWorld ? <WorldPage /> : showsCalls ? <Overview /> : <Ladder />)}
      {!hasRun && isLive && !isDead && <LiveWaiting />}
      {!hasRun && !isLive && status === "waiting" && !isDead && (
        <div class="waiting" role="status">
          <progress max={1} value={progress} aria-label="Replay" />
          <span>Playing the journal again</span>
        </div>
      )}
      {status === "failed" && (
        <div class="waiting" role="alert">
          <Mark name="failed" />
          <b>This run cannot be shown.</b>
          <span>{error}</span>
        </div>
      )}
      {!hasRun && status === "shown" && !isEmpty && (
        <div class="waiting">
          <Mark name="retry" />
          <span>The run comes here once the text can be read.</span>
        </div>
      )}
      {isEmpty && <Invitation />}
      {isComparing && <Compare />}
    </main>
  );
}

/** Says of a fork that it is one, and leads back. */
function ForkNotice() {
  const actions = useActions();
  const label = useSelect((state) => state.opened?.label);
  return (
    <div class="notice">
      <Mark name="event" />
      <span class="grow">A fork: {label}</span>
      <button type="button" class="mini" onClick={() => actions.closeFork()}>
        Back to the run
      </button>
    </div>
  );
}

/** Deviations from the expected outcome, above the ladder. */
function Notices() {
  const mode = useSelect((state) => state.mode);
  // a test's failure has a banner of its own
  const given = useSelect((state) =>
    state.source?.failure === undefined ? state.run?.summary.problems : undefined,
  );
  const skipped = useSelect((state) => state.run?.summary.skipped);
  const gone = useSelect((state) => state.run?.summary.compactionNote);
  const hasStandIns = useSelect((state) => state.run?.summary.capture?.hasStandIns === true);
  // in the playground, the verdict says how the run differs
  const texts = mode === "play" ? [] : [...(given ?? []), ...(skipped ?? [])];
  return (
    <>
      <CaptureNotice />
      {hasStandIns && (
        <div class="notice">
          <Mark name="info" />
          <span>
            Names and numbers are stand-ins. <code>--keep-names</code> shows the true ones.
          </span>
        </div>
      )}
      {gone !== undefined && (
        <div class="notice">
          <Mark name="info" />
          <span>{gone}</span>
        </div>
      )}
      <AgeNotice />
      {texts.map((text) => (
        <div class="notice bad" key={text}>
          <Mark name="failed" />
          <details class="grow">
            <summary>{text.split("\n")[0]}</summary>
            <pre tabindex={0}>{text}</pre>
          </details>
        </div>
      ))}
    </>
  );
}

const verdicts = {
  possible: "The platform could have sent these requests: this run sends them.",
  differs: "The platform could have sent these requests, with other values: this run does.",
  impossible: "The platform could not have sent these requests. This run comes nearest.",
  undecided: "No run was found that sends all of these requests. This one comes nearest.",
} as const;

/** What the capture of an imported run does not explain, above the ladder. */
function CaptureNotice() {
  const capture = useSelect((state) => state.run?.summary.capture);
  if (capture === undefined) return null;
  const { verdict, requests, explained, assumed, unexplained, problems, differences } = capture;
  const whole = assumed.filter(({ step }) => step === undefined);
  const facts = [
    `${explained} of ${counted(requests, "request")} explained`,
    ...(assumed.length > 0 ? [`${counted(assumed.length, "thing")} assumed (dotted)`] : []),
    ...(problems.length > 0 ? [`${counted(problems.length, "line")} could not be read`] : []),
    ...(differences > 0 ? [`${counted(differences, "difference")} from the documented bodies`] : []),
  ];
  const isBad = verdict !== "possible" && verdict !== "differs";
  return (
    <div class={isBad ? "notice bad" : "notice capture"}>
      <Mark name={isBad ? "unexplained" : "delivered"} />
      <details class="grow">
        <summary>
          {verdicts[verdict]} <span class="muted">{facts.join(" · ")}</span>
        </summary>
        {whole.length > 0 && (
          <>
            <p>Assumed for the whole run:</p>
            <ul>
              {whole.map(({ what }) => (
                <li key={what}>
                  <span class="assumed">{what}</span>
                </li>
              ))}
            </ul>
          </>
        )}
        {unexplained.length > 0 && (
          <>
            <p>Not explained:</p>
            <ul>
              {unexplained.map(({ line, event, because }) => (
                <li key={`${line} ${event}`}>
                  line {line}: {event}: {because}
                </li>
              ))}
            </ul>
          </>
        )}
        {problems.length > 0 && (
          <>
            <p>Could not be read:</p>
            <ul>
              {problems.map(({ line, message }) => (
                <li key={`${line} ${message}`}>
                  line {line}: {message}
                </li>
              ))}
            </ul>
          </>
        )}
      </details>
    </div>
  );
}

/** On a narrow page, the chosen row and the way to its detail. */
function Peek() {
  const actions = useActions();
  const row = useSelect((state) => state.run?.rows[state.now]);
  if (row === undefined) return null;
  return (
    <button type="button" class="peek" onClick={() => actions.view.open()}>
      <Mark name={row.kind} />
      <span title={`${row.subject} ${row.verb} ${row.detail}`}>
        <b>{row.subject}</b> {row.verb} <span class="muted">{row.detail}</span>
      </span>
      <b>Detail</b>
    </button>
  );
}

function Keys() {
  const isShown = useSelect((state) => state.showsKeys);
  if (!isShown) return null;
  return (
    <div class="popover keys" role="dialog" aria-label="Keys">
      <dl>
        {keyList.map(([what, keys]) => (
          <>
            <dt>{what}</dt>
            <dd>
              {keys.map((key) => (
                <>
                  <kbd>{key}</kbd>{" "}
                </>
              ))}
            </dd>
          </>
        ))}
      </dl>
    </div>
  );
}

function Toast() {
  const toast = useSelect((state) => state.toast);
  return (
    <div role="status" class={toast === "" ? "sr" : "popover toast"}>
      {toast}
    </div>
  );
}
