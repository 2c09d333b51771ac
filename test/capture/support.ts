import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { notImported } from "../../docs/generate/not-imported.ts";
import type { Scenario } from "../../src/core/scenario/scenario.ts";
import {
  type DialectInput,
  demoOrganisation,
  type OrganisationInput,
  parseScenario,
  runScenario,
  type Simulator,
} from "../../src/index.ts";
import { lessonName } from "../../src/inspector/lesson.ts";

/** A line of a capture, as `ringback record` writes it. */
export interface Line {
  receivedAt: number;
  headers: Record<string, string>;
  body: string;
  status?: number;
  responseMs?: number;
}

/** The app of captured runs, and its signing secret. */
export const receiver = "https://receiver.test/hooks";
export const secret = "the app's secret";

/** Adds an app of all events to a scenario. */
export function withReceiver(scenario: Scenario): Scenario {
  const organisation: OrganisationInput = scenario.options.organisation ?? demoOrganisation;
  const webhooks = [
    ...(organisation.webhooks ?? []),
    { url: receiver, events: ["*" as const], signingSecret: secret },
  ];
  return { ...scenario, options: { ...scenario.options, organisation: { ...organisation, webhooks } } };
}

/** What the app of a run got. */
export function received(simulator: Simulator): Line[] {
  return simulator.network.requests
    .filter(
      ({ to, why, arrivedTimestamp }) => to === receiver && why === "webhook" && arrivedTimestamp !== null,
    )
    .map(({ startedTimestamp, arrivedTimestamp, endedTimestamp, headers, body, answer }) => ({
      receivedAt: arrivedTimestamp ?? startedTimestamp,
      headers: { ...headers } as Record<string, string>,
      body: body ?? "",
      ...(answer === null
        ? {}
        : { status: answer.status, responseMs: (endedTimestamp ?? startedTimestamp) - startedTimestamp }),
    }));
}

/** The lines of a capture file. */
export function jsonl(lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** Changes the bodies of some lines. */
export function edited(
  lines: readonly Line[],
  // biome-ignore lint/suspicious/noExplicitAny: a body is changed in ways that its type forbids
  change: (body: any, index: number) => unknown,
): Line[] {
  return lines.map((line, index) => {
    const body = JSON.parse(line.body);
    change(body, index);
    return { ...line, body: JSON.stringify(body) };
  });
}

const folder = fileURLToPath(new URL("../../scenarios", import.meta.url));
const read = (name: string) => readFileSync(join(folder, name), "utf8");
const organisations = Object.fromEntries(
  readdirSync(join(folder, "organisations")).map((name) => [
    name.replace(".yaml", ""),
    read(join("organisations", name)),
  ]),
);

/** The files of all lessons. */
export const lessons = readdirSync(folder).filter((name) => /^\d\d.*\.yaml$/.test(name));

/** The lessons whose requests an import explains: those in which a webhook gets some. */
export const importable = () =>
  lessons.filter((file) => notImported[lessonName(file)] === undefined && captured(file).length > 0);

/** The scenario of a lesson, by its file's name or number. */
export function lesson(name: string): Scenario {
  const file = lessons.find((each) => each.startsWith(name)) ?? name;
  return parseScenario(read(file), { organisations });
}

const played = new Map<string, readonly Line[]>();

/** What an app gets in a lesson, which is played once. The lines may be modified. */
export function captured(name: string): Line[] {
  const lines = played.get(name) ?? received(runScenario(withReceiver(lesson(name))).simulator);
  played.set(name, lines);
  return lines.map((line) => ({ ...line, headers: { ...line.headers } }));
}

/** What an app gets in a lesson if the service writes in a dialect. */
export function capturedIn(name: string, dialect: DialectInput): Line[] {
  const { options, ...scenario } = withReceiver(lesson(name));
  return received(runScenario({ ...scenario, options: { ...options, dialect } }).simulator);
}

/** What an app gets in a lesson from a platform of the profile `observed`. */
export function capturedObserved(name: string): Line[] {
  const { options, ...scenario } = withReceiver(lesson(name));
  const { assume: _, timing: _timing, dialect: _dialect, ...given } = options;
  return received(runScenario({ ...scenario, options: { ...given, profile: "observed" } }).simulator);
}

/** A call that Sales passes on to Support, where another waits already. Then one member of Support becomes free. */
export const twoQueues = `
scenario: Two calls that wait for one member
steps:
  - { at: PT0S, setAvailability: { user: dave, status: busy } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550200" } }
  - { at: PT30S, inbound: { as: c2, from: "+6421555002", to: "+6495550201" } }
  - { at: PT75S, setAvailability: { user: dave, status: available } }
`;
