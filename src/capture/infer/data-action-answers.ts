import { isoDuration } from "../../core/foundation/instants.ts";
import { append } from "../read/lists.ts";
import { isEqual } from "../read/shapes.ts";
import type { ScenarioDraft } from "./scenario-draft.ts";

type Action = "outboundCall" | "teamCall" | "inboundConversations";

interface Answer {
  readonly atMs: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly afterMs: number;
}

/** The answer of each endpoint unless a step says otherwise. */
const defaultAnswers: Readonly<Record<Action, Readonly<Record<string, unknown>>>> = {
  outboundCall: { action: "allow" },
  teamCall: {},
  inboundConversations: {},
};

/** The answers of data actions, as calls and conversations show them. */
export class DataActionAnswers {
  private readonly answers = new Map<Action, Answer[]>();

  /**
   * Notes an answer.
   * @param afterMs how long it took to answer
   */
  addAnswer(action: Action, atMs: number, body: Readonly<Record<string, unknown>>, afterMs = 0): void {
    append(this.answers, action, { atMs, body, afterMs });
  }

  /** Adds a step wherever the answers change. @returns the URLs of the data actions, by name */
  addSteps(draft: ScenarioDraft): Record<string, string> {
    const urls: Record<string, string> = {};
    for (const [action, answers] of this.answers) {
      if (answers.every(({ body, afterMs }) => afterMs === 0 && isEqual(body, defaultAnswers[action])))
        continue;
      // another host than the app's, since requests to the same host overtake each other
      const url = `https://actions.imported.test/${action}`;
      urls[action] = url;
      let last: Omit<Answer, "atMs"> | undefined;
      for (const { atMs, body, afterMs } of answers.sort((a, b) => a.atMs - b.atMs)) {
        if (last !== undefined && last.afterMs === afterMs && isEqual(last.body, body)) continue;
        last = { body, afterMs };
        draft.add(atMs, "route", { url, body, after: afterMs > 0 ? isoDuration(afterMs) : undefined }, -2);
      }
    }
    return urls;
  }
}
