import { durationOf, type ScenarioDraft } from "./scenario-draft.ts";
import { isEqual } from "./shapes.ts";

type Action = "outboundCall" | "teamCall" | "inboundConversations";

interface Answer {
  readonly atMs: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly afterMs: number;
}

/** What an endpoint answers if it says nothing of its own. */
const defaultAnswers: Readonly<Record<Action, Readonly<Record<string, unknown>>>> = {
  outboundCall: { action: "allow" },
  teamCall: {},
  inboundConversations: {},
};

/** What the customer's endpoints answered, as far as calls and conversations show it. */
export class DataActionAnswers {
  private readonly answers = new Map<Action, Answer[]>();

  /**
   * Notes that an endpoint was asked.
   * @param afterMs how long it took to answer
   */
  addAnswer(action: Action, atMs: number, body: Readonly<Record<string, unknown>>, afterMs = 0): void {
    const answers = this.answers.get(action) ?? [];
    answers.push({ atMs, body, afterMs });
    this.answers.set(action, answers);
  }

  /** Adds a step wherever an endpoint begins to answer otherwise. @returns the endpoints that are needed, by name */
  addSteps(draft: ScenarioDraft): Record<string, string> {
    const urls: Record<string, string> = {};
    for (const [action, answers] of this.answers) {
      if (answers.every(({ body, afterMs }) => afterMs === 0 && isEqual(body, defaultAnswers[action])))
        continue;
      // not the receiver's host: requests to one host overtake each other
      const url = `https://actions.imported.test/${action}`;
      urls[action] = url;
      let last: Omit<Answer, "atMs"> | undefined;
      for (const { atMs, body, afterMs } of answers.sort((a, b) => a.atMs - b.atMs)) {
        if (last !== undefined && last.afterMs === afterMs && isEqual(last.body, body)) continue;
        last = { body, afterMs };
        draft.add(atMs, "route", { url, body, after: afterMs > 0 ? durationOf(afterMs) : undefined }, -2);
      }
    }
    return urls;
  }
}
