import { theUser } from "../../declare/description.ts";
import { drawnText, onText } from "../../declare/words.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { behaveSchema } from "../../organisation/behaviour.ts";
import type { People } from "../people.ts";

/** In timelines: `will act by themselves: answers on mobile after 5s, talks for 3m on average`. */
export const behave = defineCommand({
  about: "from now on the user acts by themselves; `answer: never` lets calls ring, `behaviour: {}` ends it",
  schema: behaveSchema,
  actor: theUser,
  describe({ behaviour: { answer, decline, talk, wrapUp } }) {
    const acts = [
      answer === "never" && "never answers",
      answer !== undefined &&
        answer !== "never" &&
        `answers${onText(answer.endpoint)} after ${drawnText(answer.after)}`,
      decline !== undefined && `declines after ${drawnText(decline.after)}`,
      talk !== undefined && `talks for ${drawnText(talk)}`,
      wrapUp !== undefined && `wraps up for ${drawnText(wrapUp)}`,
    ].filter((each) => each !== false);
    return acts.length === 0 ? "no longer acts by themselves" : `will act by themselves: ${acts.join(", ")}`;
  },
  run: ({ people }: { readonly people: People }, args) => people.behave(args),
  example: () => ({ user: "alice", behaviour: { answer: { after: "PT3S" } } }),
});
