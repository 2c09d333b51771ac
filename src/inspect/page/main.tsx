/** The page: reads its data, starts the worker, draws. */
import { render } from "preact";
import type { PageData } from "../data.ts";
import { App } from "./app.tsx";
import { handleKeys } from "./keys.ts";
import { Actions } from "./state/actions.ts";

function textOf(id: string): string {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no element ${id}`);
  return element.textContent ?? "";
}

const root = document.getElementById("app");
if (root === null) throw new Error("the page has no element app");
const data = JSON.parse(textOf("ringback-data")) as PageData;
const actions = new Actions(data, textOf("ringback-worker"));
root.replaceChildren();
render(<App actions={actions} />, root);
handleKeys(actions);
void actions.start();
