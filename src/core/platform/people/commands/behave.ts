import type { Problem } from "../../../foundation/errors.ts";
import { drawnText, onText } from "../../declare/words.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { type BehaveArguments, behaveSchema } from "../../organisation/behaviour.ts";
import type { ActingPeople } from "../people.ts";

/** In timelines: `will act by themselves: answers on mobile after 5s, talks for 3m on average`. */
export const behave = defineCommand({
  summary:
    "from now on the user, or whoever has the outside `number`, acts by themselves; `answer: never` lets calls ring, `behaviour: {}` ends it",
  schema: behaveSchema,
  actor: ({ user, number }) => ({ is: "person", name: user ?? number ?? "" }),
  describe({ behaviour: { answer, decline, talk, wrapUp } }) {
    const acts = [
      answer === "never" && "never answers",
      answer !== undefined &&
        answer !== "never" &&
        `answers${onText(answer.endpoint)} after ${drawnText(answer.after)}`,
      decline !== undefined &&
        `${decline.busy === true ? "is engaged" : "declines"} after ${drawnText(decline.after)}`,
      talk !== undefined && `talks for ${drawnText(talk)}`,
      wrapUp !== undefined && `wraps up for ${drawnText(wrapUp)}`,
    ].filter((each) => each !== false);
    return acts.length === 0 ? "no longer acts by themselves" : `will act by themselves: ${acts.join(", ")}`;
  },
  validate: (_: unknown, args) => behaveProblems(args),
  run: ({ people }: { readonly people: ActingPeople }, args) => people.behave(args),
  example: () => ({ user: "alice", behaviour: { answer: { after: "PT3S" } } }),
});

/** What the schema cannot say: who it is about, and what only users or only outside numbers do. */
function behaveProblems({ user, number, behaviour }: Partial<BehaveArguments>): Problem[] {
  const problem = (message: string, ...keys: string[]): Problem[] => [{ keys, message }];
  if (user === undefined && number === undefined) return problem("missing", "user");
  if (user !== undefined && number !== undefined)
    return problem("expected either `user` or `number`, got both", "number");
  const { answer, decline, wrapUp } = behaviour ?? {};
  if (number === undefined)
    return decline?.busy === undefined
      ? []
      : problem(
          "only outside numbers are engaged: use setAvailability for users",
          "behaviour",
          "decline",
          "busy",
        );
  return [
    ...(typeof answer === "object" && answer.endpoint !== undefined
      ? problem("an outside number has no endpoints", "behaviour", "answer", "endpoint")
      : []),
    ...(wrapUp === undefined ? [] : problem("only users wrap up", "behaviour", "wrapUp")),
  ];
}
