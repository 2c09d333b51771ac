import { type Lesson, playLesson } from "../../docs/learn/lessons.ts";
import { attemptsOf } from "../../src/core/scenario/attempts.ts";
import type { PlatformEvent } from "../../src/index.ts";

/**
 * What somebody has to know to read a lesson: its steps, the types of its events, how its calls end and why, why somebody is
 * not available, and voicemail, teams, webhooks, further attempts, data actions and steps that wait for an event.
 */
export function usesOf(lesson: Lesson): string[] {
  const { steps, options } = lesson.scenario;
  const { simulator, bars } = playLesson(lesson).run;
  const { events } = simulator;
  const attempts = attemptsOf(simulator).map(({ request, delivery }) =>
    delivery.attempts.findIndex(({ requestId }) => requestId === request.id),
  );
  const ideas = [
    bars.some(({ kind }) => kind === "voicemail") ? "voicemail" : "",
    events.some(isOfTeam) ? "team" : "",
    attempts.length > 0 ? "webhook" : "",
    attempts.some((place) => place > 0) ? "further attempt" : "",
    options.organisation?.dataActions === undefined ? "" : "data action",
    steps.some(({ on }) => on !== undefined) ? "on" : "",
  ];
  const used = [
    ...steps.map(({ command }) => command),
    ...events.map(({ type }) => type),
    ...events.flatMap(ends),
  ];
  return [...new Set([...used, ...ideas])].filter((each) => each !== "");
}

/** Whether a call is for a team. */
function isOfTeam({ data }: PlatformEvent): boolean {
  return "call" in data && data.call.assignedCallGroup !== null && data.call.assignedCallGroup !== undefined;
}

/** How a call ends, and why somebody is not available. */
function ends({ data }: PlatformEvent): string[] {
  const outcome = "call" in data ? data.call.outcome : null;
  const rule = "user" in data ? data.user.availability.notAvailableRule : null;
  return [outcome?.status, outcome?.reason, rule].flatMap((each) => each ?? []);
}
