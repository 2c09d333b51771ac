import { isoDuration } from "../../core/foundation/instants.ts";
import type { OrganisationInput } from "../../core/generated/inputs.ts";
import type { EventType } from "../../core/platform/declare/events.ts";
import type { CapturedEvent } from "../read/capture.ts";
import { isThere, listOrEmpty, type PartialEventData } from "../read/partial-records.ts";
import type { RestSnapshots } from "../read/rest-answers.ts";
import { AvailabilityHistory } from "./availability-history.ts";
import { AvailabilitySteps } from "./availability-steps.ts";
import { CallSteps } from "./call-steps.ts";
import type { CapturedCall } from "./captured-call.ts";
import { ConversationSteps, GROUP_DELAY_MS, startsGroup } from "./conversation-steps.ts";
import { DataActionAnswers } from "./data-action-answers.ts";
import { InferredDirectory } from "./inferred-directory.ts";
import { type InferredStep, ScenarioDraft } from "./scenario-draft.ts";
import { assumePriorities, TeamSettings } from "./team-settings.ts";
import { OrganisationWriter } from "./write-organisation.ts";

/** How long endpoints ring by default, ms. */
const DEFAULT_RING_MS = 30_000;

/** The inputs of a run that may have sent the capture. */
export interface Inference {
  readonly startMs: number;
  readonly endMs: number;
  readonly organisation: OrganisationInput;
  readonly timing: Readonly<Record<string, string>>;
  /** The assumptions that differ from the defaults. */
  readonly assume: Readonly<Record<string, string>>;
  /** In the order in which they are played. */
  readonly steps: readonly InferredStep[];
  /** What is assumed about the organisation and the settings. */
  readonly assumed: readonly string[];
  readonly calls: readonly CapturedCall[];
  /** Calls with several explanations, and how many. */
  readonly ambiguousCalls: TeamSettings["ambiguousCalls"];
}

/** What a capture and saved REST answers show. */
export interface Observations {
  /** Oldest first. */
  readonly events: readonly CapturedEvent[];
  readonly rest: RestSnapshots;
  readonly calls: readonly CapturedCall[];
}

/**
 * Infers what happened from what was received.
 * @param types the event types that the app gets
 * @param assume the assumptions that differ from the defaults
 * @param choices for ambiguous calls: which choice to take, from 0
 */
export function infer(
  { events, rest, calls }: Observations,
  types: readonly EventType[],
  assume: Readonly<Record<string, string>>,
  choices: Readonly<Record<string, number>>,
): Inference {
  const draft = new ScenarioDraft();
  const directory = new InferredDirectory(events, rest);
  const actions = new DataActionAnswers();
  const availability = new AvailabilityHistory(events, calls, coversAvailability(calls, types));
  const { startMs, endMs } = findSpan(events);
  const callSteps = new CallSteps(draft, directory, availability, actions);
  const teams = new TeamSettings(draft, directory, choices);
  for (const call of calls) {
    callSteps.addSteps(call);
    teams.addCall(call);
  }
  teams.chooseRedirects();
  assumePriorities(draft, calls);
  const ringMs = Math.max(0, ...callSteps.ringTimesMs);
  if (ringMs > 0 && ringMs !== DEFAULT_RING_MS) draft.timing.ringTimeout = isoDuration(ringMs);
  new AvailabilitySteps(draft, directory, availability, calls, endMs).addSteps(events);
  const names = new Map(calls.map(({ id, name }) => [id, name]));
  new ConversationSteps(draft, directory, actions, startMs, names).addSteps(events);
  const urls = actions.addSteps(draft);
  const organisation = new OrganisationWriter(draft, directory, calls, teams, callSteps).write(
    events,
    urls,
    types,
  );
  return {
    startMs,
    endMs,
    organisation,
    timing: draft.timing as Record<string, string>,
    assume,
    steps: draft.orderedSteps(),
    assumed: draft.assumed,
    calls,
    ambiguousCalls: teams.ambiguousCalls,
  };
}

/** Whether the app gets changes of availability. Assumed if no user was on a call, which would have caused some. */
function coversAvailability(calls: readonly CapturedCall[], types: readonly EventType[]): boolean {
  const hasUsers = calls.some(({ connections }) => connections.some(({ party }) => party.type === "user"));
  return types.includes("user.availability.updated") || !hasUsers;
}

/** From the first call, message or event to the last event. */
function findSpan(events: readonly CapturedEvent[]): { startMs: number; endMs: number } {
  let startMs = Number.POSITIVE_INFINITY;
  let endMs = 0;
  for (const { timestamp, data } of events) {
    const { call, conversation, message } = data as PartialEventData;
    if (isThere(conversation) && isThere(message) && startsGroup(conversation, message))
      startMs = Math.min(startMs, timestamp - GROUP_DELAY_MS);
    startMs = Math.min(startMs, timestamp, call?.startedTimestamp ?? timestamp);
    for (const { createdTimestamp } of listOrEmpty(conversation?.messages))
      if (isThere(createdTimestamp)) startMs = Math.min(startMs, createdTimestamp);
    endMs = Math.max(endMs, timestamp);
  }
  return { startMs, endMs };
}
