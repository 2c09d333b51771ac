import { aloneLinks, searchIcon, siteLinks, themeButton } from "../../../look/header.ts";
import { counted, lengthText, sizeText } from "../common/format.ts";
import { Icon } from "../common/marks.tsx";
import { isBlank, isWide } from "../state/actions.ts";
import { useActions, useSelect } from "../state/context.ts";
import { isBusy } from "../state/runs.ts";
import { LiveChip } from "./live-panel.tsx";

/** What is shown of a run, and what can be done with it. */
export function AppBar() {
  const actions = useActions();
  const mode = useSelect((state) => state.mode);
  const hasDrawer = useSelect((state) => state.hasDrawer);
  const hasWorld = useSelect((state) => state.source?.world !== undefined);
  const showsWorld = useSelect((state) => state.showsWorld);
  return (
    <section class="app-bar" aria-label="Run">
      {mode === "inspect" && !showsWorld && (
        <button
          type="button"
          class="button plain square only-narrow"
          aria-label="Calls and filters"
          aria-expanded={hasDrawer}
          onClick={() => actions.view.toggle("hasDrawer")}
        >
          <Icon d="M2 4h12M2 8h12M2 12h8" />
        </button>
      )}
      <div class="segments" role="group" aria-label="View">
        {hasWorld && (
          <button
            type="button"
            aria-pressed={showsWorld}
            onClick={() => {
              actions.closeFork();
              actions.store.set({ mode: "inspect", showsWorld: true });
            }}
          >
            Failure
          </button>
        )}
        <button
          type="button"
          aria-pressed={mode === "inspect" && !showsWorld}
          onClick={() => actions.setMode("inspect")}
        >
          Inspect
        </button>
        <button type="button" aria-pressed={mode === "play"} onClick={() => actions.setMode("play")}>
          Play<span class="hide-narrow">ground</span>
        </button>
      </div>
      <CallsOrSteps />
      <Title />
      <LiveChip />
      <span class="grow" />
      <ViewButtons />
    </section>
  );
}

/** The header that all pages share. It leads back to the site from a page that is part of it. */
export function SiteHeader({ site, toggleTheme }: { site: string | undefined; toggleTheme(): void }) {
  const links = site === undefined ? aloneLinks(RINGBACK_HOMEPAGE) : siteLinks(site, "playground");
  const search =
    site === undefined
      ? ""
      : `<a class="find" href="${site}index.html#search">${searchIcon}<span>Search</span><kbd>/</kbd></a>`;
  return (
    <header
      // without links it shares a line with the bar of the run
      class={site === undefined && RINGBACK_HOMEPAGE === "" ? "site-header alone" : "site-header"}
      onClick={({ target }) => {
        if (target instanceof Element && target.closest("#theme") !== null) toggleTheme();
      }}
      dangerouslySetInnerHTML={{ __html: `${links}<span class="gap"></span>${search}${themeButton}` }}
    />
  );
}

/** For a run of many calls: their overview, or the steps. */
function CallsOrSteps() {
  const actions = useActions();
  const has = useSelect((state) => state.mode === "inspect" && !state.showsWorld && isBusy(state.run));
  const showsCalls = useSelect((state) => state.showsCalls);
  if (!has) return null;
  const show = (showsCalls: boolean) => actions.store.set({ showsCalls });
  return (
    <div class="segments" role="group" aria-label="Calls or steps">
      <button type="button" aria-pressed={showsCalls} onClick={() => show(true)}>
        Calls
      </button>
      <button type="button" aria-pressed={!showsCalls} onClick={() => show(false)}>
        Steps
      </button>
    </div>
  );
}

/** The buttons for the run that is shown. */
function ViewButtons() {
  const actions = useActions();
  const mode = useSelect((state) => state.mode);
  const isComparing = useSelect((state) => state.isComparing);
  const hasNoStep = useSelect((state) => isWide(state) || isBlank(state));
  return (
    <>
      {!hasNoStep && (
        <>
          <button type="button" class="button hide-narrow" onClick={() => actions.view.tab("why")}>
            Why not…? <kbd>W</kbd>
          </button>
          <button type="button" class="button hide-narrow" onClick={() => actions.view.tab("fork")}>
            Fork here <kbd>B</kbd>
          </button>
        </>
      )}
      {mode === "inspect" && !hasNoStep && (
        <button
          type="button"
          class="button hide-narrow"
          aria-pressed={isComparing}
          onClick={() => actions.comparing.toggle()}
        >
          Compare <kbd>C</kbd>
        </button>
      )}
      {mode === "play" && (
        <button type="button" class="button primary" onClick={() => void actions.links.share()}>
          Share<span class="hide-narrow">link</span>
        </button>
      )}
    </>
  );
}

function Title() {
  const actions = useActions();
  const summary = useSelect((state) => (isBlank(state) ? undefined : state.run?.summary));
  const runs = useSelect((state) => state.data.runs);
  const source = useSelect((state) => state.source);
  const fallback = useSelect((state) => (isBlank(state) ? "A scenario of your own" : state.data.title));
  // a failure says its name itself
  const isSaidBelow = useSelect(
    ({ mode, showsWorld, source }) => mode === "inspect" && (showsWorld || source?.failure !== undefined),
  );
  if (runs.length > 1)
    return (
      <select
        class="select"
        aria-label="Run"
        value={String(source === undefined ? 0 : runs.indexOf(source))}
        onChange={(event) => {
          const chosen = runs[Number(event.currentTarget.value)];
          if (chosen !== undefined) void actions.openSource(chosen);
        }}
      >
        {runs.map(({ name }, index) => (
          <option key={index} value={String(index)}>
            {index + 1} · {name}
          </option>
        ))}
      </select>
    );
  return (
    <>
      <h1 class={isSaidBelow ? "sr" : ""} title={summary?.title}>
        {summary?.title ?? fallback}
      </h1>
      {summary !== undefined && (
        <span class="about num">
          <span>seed {summary.seed}</span>
          <span>{counted(summary.eventCount, "event")}</span>
          <span>{lengthText(summary.endMs)}</span>
          <span>journal {sizeText(summary.journalBytes)}</span>
        </span>
      )}
    </>
  );
}
