/** The page: reads its data, starts the worker, draws. */
import { render } from "preact";
import type { PageData } from "../data.ts";
import { App } from "./app.tsx";
import { FailureList } from "./failure/list.tsx";
import { handleKeys } from "./frame/keys.ts";
import { PageActions } from "./state/actions.ts";

function readText(id: string): string {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no element ${id}`);
  return element.textContent ?? "";
}

const root = document.getElementById("app");
if (root === null) throw new Error("the page has no element app");
const data = JSON.parse(readText("ringback-data")) as PageData;
root.replaceChildren();
if (data.version !== 1) {
  // a page shares its viewer with others, which a later version may have replaced
  root.textContent = `This page was made by another version of ringback than ${RINGBACK_VERSION}: make it again.`;
} else if (data.mode === "failures") render(<FailureList data={data} />, root);
else {
  // the importer runs in the worker, after its own script; only playgrounds have one
  const importer = document.getElementById("ringback-importer")?.textContent ?? "";
  const actions = new PageActions(data, data.mode, `${readText("ringback-worker")}\n${importer}`);
  render(<App actions={actions} />, root);
  handleKeys(actions);
  void actions.start();
  // an address that asks questions or reads codes shows another page than the open one
  addEventListener("hashchange", () => {
    const given = new URLSearchParams(location.hash.slice(1));
    if (given.has("codes") || given.has("teach") || actions.state.showsCodes) location.reload();
  });
}
