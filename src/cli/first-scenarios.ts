import { stringify } from "yaml";
import { demoOrganisation } from "../core/platform/organisation/demo.ts";
import type { OrganisationInput } from "../core/platform/organisation/schema.ts";

/** How calls and conversations of the demo organisation begin, for `ringback stories --all`. */

/** A scenario to which people add. */
export interface FirstScenario {
  readonly text: string;
  readonly organisations: Readonly<Record<string, string>>;
  /** Who may act. Default: whom the call rings, and one colleague. */
  readonly who?: readonly string[];
  /** Whom they may also hand a call to. */
  readonly targets?: readonly string[];
  /** How many acts may be added at most, where people act in it already. */
  readonly mostActs?: number;
}

type Step = Readonly<Record<string, unknown>>;

/** Who calls from outside. */
const CALLER = "+6421555001";
/** Another number outside. */
const OTHER = "+6421555002";
/** The number of Alice. */
const ALICE = "+6495550101";

/** A first scenario of the demo organisation that begins with one call or message to or from this number. */
export function scenarioWithCallTo(number: string): FirstScenario {
  return plain("inbound", { from: CALLER, to: number });
}

/** Each number, and each way in; then scenarios in which people, an administrator or the clock have done something already. */
export function allFirstScenarios(): FirstScenario[] {
  return [
    ...plainFirstScenarios(),
    ...talking(),
    ...atWorkingHours(),
    ...asked(),
    ...messages(),
    ...returns(),
  ];
}

function plainFirstScenarios(): FirstScenario[] {
  const { numbers = [], users = [], teams = [] } = demoOrganisation;
  const extensions = [...users, ...teams].map(({ extension }) => extension);
  return [
    ...numbers.map(({ number }) => scenarioWithCallTo(number)),
    ...users.map(({ id }) => plain("outbound", { from: id, to: CALLER })),
    ...users.map(({ id, extension }) =>
      plain("internal", { from: id, to: extensions.find((each) => each !== extension) }),
    ),
    ...extensions.flatMap((extension) => {
      const redirected = { extension, from: CALLER, to: "+6495559000", timeout: 10 };
      return [{}, { returnTo: "flow", returnToId: "f1" }, { sendToVoicemail: true }].map((more) =>
        plain("redirect", { ...redirected, ...more }),
      );
    }),
    ...numbers.flatMap(({ number, sms = false }) =>
      sms ? [plain("receiveMessage", { from: CALLER, to: number, text: "Hello" })] : [],
    ),
  ];
}

/** Two or more talk already. */
function talking(): FirstScenario[] {
  const answered = [step(0, "inbound", { as: "c1", from: CALLER, to: ALICE }), act(1, "answer", "alice")];
  const joins = [act(2, "add", "alice", { target: OTHER }), act(3, "answer", OTHER)];
  const inside = [
    act(2, "add", "alice", { target: "dave" }),
    act(3, "answer", "dave"),
    act(4, "add", "alice", { target: "carol" }),
  ];
  return [
    prepared("Three talk", [...answered, ...joins], { who: ["alice"], targets: ["102", "103"] }),
    prepared("Two colleagues talk to a caller and add a third", [...answered, ...inside], {
      who: ["alice", "dave"],
    }),
  ];
}

/** Working hours begin or end soon, or somebody has set their availability. */
function atWorkingHours(): FirstScenario[] {
  const hours = { timezone: "UTC", workingHours: { wednesday: [{ from: "09:00", to: "17:00" }] } };
  const organisation = {
    ...demoOrganisation,
    users: demoOrganisation.users?.map((user) => (user.id === "alice" ? { ...user, ...hours } : user)),
  };
  const who = ["alice"];
  const soon = { organisation, start: "2026-07-01T08:59:40Z" };
  const set = (user: string, status: string) => step(0, "setAvailability", { user, status });
  const call = (to: string) => step(1, "inbound", { from: CALLER, to });
  return [
    prepared("Hours begin", [set("alice", "available"), call("+6495550102")], { who }, soon),
    prepared("Hours end", [call(ALICE)], { who }, { ...soon, start: "2026-07-01T16:59:40Z" }),
    ...["offline", "busy"].map((status) =>
      prepared(`Carol is ${status}`, [set("carol", status), call("+6495550102")], { who: ["carol"] }),
    ),
  ];
}

/** A data action is asked whether a user may dial. */
function asked(): FirstScenario[] {
  const organisation = {
    ...demoOrganisation,
    dataActions: { outboundCall: "https://crm.acme.test/outbound" },
  };
  return ["allow", "block"].map((action) =>
    prepared(
      `A data action says ${action}`,
      [
        step(0, "route", { url: "https://crm.acme.test/", body: { action }, after: "PT2S" }),
        step(0, "outbound", { from: "alice", to: CALLER }),
      ],
      { who: ["alice"] },
      { organisation },
    ),
  );
}

/** A conversation closes by itself: before it is inactive, and after. */
function messages(): FirstScenario[] {
  return [
    { closeTimer: "PT10M", laterS: 3_600 },
    { closeTimer: "P3D", laterS: 4 * 86_400 },
  ].map(({ closeTimer, laterS }) =>
    prepared(
      `A conversation closes after ${closeTimer}`,
      [
        step(0, "send", {
          ...{ companyAddress: "+6495550100", contactAddresses: [CALLER], closeTimer },
          ...{ messageContent: { text: "Your parcel is on its way." }, routingAction: "assign_owner" },
        }),
        step(laterS, "inbound", { from: CALLER, to: ALICE }),
      ],
      { who: ["alice"], mostActs: 1 },
    ),
  );
}

/** An application is told of an unanswered call that it redirected, and takes it or not. */
function returns(): FirstScenario[] {
  const url = "https://ivr.example.test/";
  const redirected = { extension: "103", from: CALLER, to: "+6495559000", timeout: 10 };
  return [200, 500].map((status) =>
    prepared(
      `An application answers ${status}`,
      [
        step(0, "route", { url, status }),
        step(0, "redirect", { ...redirected, returnTo: "postEndpoint", returnToId: `${url}return` }),
      ],
      { who: ["carol"], mostActs: 1 },
    ),
  );
}

const step = (seconds: number, command: string, args: object): Step => ({
  at: `PT${seconds}S`,
  [command]: args,
});

const act = (seconds: number, command: string, by: string, more: object = {}): Step =>
  step(seconds, command, { call: "c1", ...more, by });

function plain(command: string, args: object): FirstScenario {
  const scenario = `${command} ${Object.values(args).join(" ")}`;
  return { text: stringify({ scenario, steps: [step(0, command, args)] }), organisations: {} };
}

/** The scenario's acts are acts too, so people add at most two. */
function prepared(
  scenario: string,
  steps: readonly Step[],
  bound: Pick<FirstScenario, "who" | "targets" | "mostActs">,
  head: { readonly organisation?: OrganisationInput; readonly start?: string } = {},
): FirstScenario {
  return { text: stringify({ scenario, ...head, steps }), organisations: {}, mostActs: 2, ...bound };
}
