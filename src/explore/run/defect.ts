import {
  CommandError,
  InputError,
  isFromUserCode,
  isTimeMisuse,
  LimitError,
  RunawayError,
} from "../../core/foundation/errors.ts";
import { AnswerError } from "../../core/network/answer.ts";
import { ScenarioError } from "../../core/scenario/scenario.ts";
import {
  appDefects,
  type PropertyFailure,
  plainMessage,
  readError,
  readThrown,
  timeUsageError,
  WorldError,
} from "../../findings/property-failure.ts";

/** The defect of the app that what ended a world shows. @throws what was thrown, if the options or the scenario are wrong */
export function makeDefect(thrown: unknown): PropertyFailure {
  if (thrown instanceof WorldError) return { property: thrown.property, message: thrown.message };
  if (thrown instanceof AnswerError)
    return { property: appDefects.impossible, message: plainMessage(thrown) };
  if (isTimeMisuse(thrown)) throw timeUsageError(thrown);
  // one that a handler threw says nothing of the options: the app used the simulator wrongly
  const isWrongInput = thrown instanceof InputError && (isOfDialect(thrown) || !isFromUserCode(thrown));
  if (isWrongInput || thrown instanceof ScenarioError) throw thrown;
  if (thrown instanceof RunawayError || thrown instanceof LimitError)
    return { property: appDefects.restless, message: plainMessage(thrown) };
  if (thrown instanceof AggregateError) {
    const own = thrown.errors.find((each) => each instanceof WorldError);
    if (own !== undefined) return makeDefect(own);
  }
  const code = thrown instanceof CommandError ? `${thrown.code}: ` : "";
  return {
    ...{ property: appDefects.threw, message: code + plainMessage(thrown) },
    ...{ error: readError(thrown), thrown: readThrown(thrown) },
  };
}

/** Whether a dialect's function is wrong, which shows only when a handler reads what it makes. */
function isOfDialect({ path }: InputError): boolean {
  return path === "dialect.write" || path === "dialect.send";
}
