import { readFile } from "node:fs/promises";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { commands } from "../../../src/core/platform/catalogue/commands.ts";
import type { AnyCommand } from "../../../src/core/platform/declare/any-command.ts";
import type { Description } from "../../../src/core/platform/declare/description.ts";
import { exampleOrganisation } from "../../../src/core/platform/organisation/example.ts";
import { createdId } from "../../../src/core/scenario/run.ts";
import { type CommandName, createSimulator, replay } from "../../../src/index.ts";
import { expectNone } from "../../lists.ts";
import { fingerprint, stateText } from "../../properties/play.ts";
import { fromSnapshot } from "../../snapshots.ts";

const organised = () => createSimulator({ ids: "counter", organisation: exampleOrganisation });

/**
 * How the timeline tells examples: who gives the command, and what they do. The platform itself is not named. Of a command
 * that is not here, the timeline must have what it declares.
 */
const told: { readonly [Name in CommandName]?: string } = {
  route: "crm.example.test answers 204",
  fault: "crm.example.test answers 503, 2 times",
  // shown when it happens
  deviate: "",
  conditions: "crm.example.test is reached with loss 50%",
  issueToken: "acme-client is given an access token",
  expireTokens: "every access token expires",
  restFault: "the REST API is answered 503, 1 time",
  restAsked: "an unknown client asks POST /messages",
  restServed: "an unknown client asks GET /users: 200",
  createWebhook: "crm.example.test (webhook) asks for call.ended",
  updateWebhook: "crm.example.test (webhook) is disabled",
  removeWebhook: "crm.example.test (webhook) is deleted",
  behave: "Alice Ng will act by themselves: answers after 3s",
  setAvailability: "Alice Ng sets availability to busy",
  setEndpoint: "Alice Ng unregisters mobile",
  setUserStatus: "Alice Ng is suspended",
  wrapUp: "Alice Ng asks for 30s of wrap-up",
  setTeamMember: "Alice Ng joins Sales with offer priority 1",
  removeTeamMember: "Bob Tane leaves Sales",
  putPhonebooks: "takes the phonebook partners",
  putContacts: "takes 1 contact into the phonebook Customers",
  removeContact: "drops the contact Jane Smith of the phonebook Customers",
  createLocation: "adds the location Wellington",
  addUserToLocation: "Carol Diaz moves to the location London",
  removeUserFromLocation: "Dave Okafor leaves the location London",
  addTrunkEntry: "adds Repairs (400) to the trunk PBX",
  updateTrunkEntry: "changes Gate of the trunk PBX",
  removeTrunkEntry: "removes Gate of the trunk PBX",
  inbound: "Jane Smith (+6421555001) calls +6495550100 (Alice Ng, 101)",
  outbound: "Alice Ng calls Jane Smith (+6421555001)",
  internal: "Alice Ng calls Bob Tane (102)",
  takeBack: "takes back calls that return to FW1, and redirects to Bob Tane (102)",
  takeBackCall: "Jane Smith (+6421555001) is taken back, and the flow redirects to Bob Tane (102)",
  redirect: "Jane Smith (+6421555001) is redirected to Alice Ng (101)",
  connectApplication: "Jane Smith (+6421555001) is redirected to Alice Ng (101)",
  dialLink: "Alice Ng dials Jane Smith (+6421555001) from a link",
  traffic: "calls to +6495550100 (Alice Ng, 101) begin every 1m, for 5m",
  answer: "Alice Ng answers on mobile",
  decline: "Alice Ng declines",
  hangup: "Jane Smith (+6421555001) hangs up",
  move: "Alice Ng moves the call to mobile",
  transfer: "Alice Ng transfers the call to Bob Tane",
  add: "Alice Ng adds Bob Tane to the call",
  note: 'Alice Ng notes "Wants a quote"',
  assignContact: "Alice Ng assigns the contact Jo",
  leaveVoicemail: "Jane Smith (+6421555001) has a message of 10s",
  removeRecording: "the recording of the call of Jane Smith is removed",
  removeTranscript: "the transcript of the call of Jane Smith is removed",
  createAnalysis: "asks for summary",
  completeAnalysis: "completes the analysis (summary)",
  removeAnalysis: "the analysis (summary) is removed",
  sendConversationMessage: 'a message from +6495550100 (Alice Ng, 101) to Jane Smith (+6421555001): "Hello"',
  sendMessage: 'Alice Ng writes to Jane Smith (+6421555001): "Hello"',
  sendTeamMessage: 'a message from +6495550200 (Sales, 200) to Jane Smith (+6421555001): "Hello"',
  receiveMessage: 'Jane Smith (+6421555001) writes to +6495550100 (Alice Ng, 101): "Hello"',
  closeConversation: "the conversation with Jane Smith (+6421555001) is closed",
  readConversation: "Alice Ng reads the conversation with Jane Smith (+6421555001)",
  assignConversationContact: "the contact Jo is assigned to the conversation with Jane Smith (+6421555001)",
  shareContact: "the contact Jane Smith is shared from the conversation with Jane Smith (+6421555001)",
};

/** The same arguments about somebody else: each id and name in them is unknown. */
function unknownIn(args: object): object {
  const isKept = (value: unknown) => typeof value === "string" && /^(\+|PT|http|\/)|^[A-Z]+$/.test(value);
  const unknown = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(unknown);
    if (typeof value === "object" && value !== null) return unknownIn(value);
    return typeof value === "string" && !isKept(value) ? "nobody-77" : value;
  };
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, unknown(value)]));
}

/** What a command says that its giver does. */
function declared(name: CommandName, args: unknown): string {
  const { schema, describe }: Describing = commands[name];
  const said = describe(v.parse(schema, args));
  return typeof said === "string" ? said : said.verb;
}

interface Describing extends Pick<AnyCommand, "schema"> {
  describe(args: unknown): Description;
}

/** The lines of a timeline that are causes, without their instants. */
function causesIn(timeline: string): string[] {
  const [, , ...lines] = timeline.split("\n");
  return lines
    .slice(0, -3)
    .map((line) => line.slice(12))
    .filter((text) => /^[^|*]/.test(text));
}

describe("An example of each command", () => {
  const names = Object.keys(commands) as CommandName[];

  const making = names.filter((name) => (commands[name] as AnyCommand).makes !== undefined);

  test.each(making)("returns what later steps may name: %s", (name) => {
    const sim = organised();
    const args = commands[name].example(sim);
    const result = sim.command(name, args as never);
    const kinds = { call: sim.calls, conversation: sim.conversations, webhook: sim.webhooks };
    const { makes = "call" } = commands[name] as AnyCommand;
    // it throws for what is none
    expect(kinds[makes].get(createdId(result) ?? "")).toBeDefined();
  });

  test.each(names)("%s runs, replays, and has the same effect in a fork", (name) => {
    const sim = organised();
    const args = commands[name].example(sim);
    const fork = sim.fork();
    for (const each of [sim, fork]) each.command(name, args as never);
    expect(sim.journal().entries.at(-1)?.command).toBe(name);
    expect(fingerprint(fork)).toBe(fingerprint(sim));
    expect(fingerprint(replay(sim.journal()))).toBe(fingerprint(sim));
  });

  test.each(names)("%s has the same effect after a snapshot, and before one", (name) => {
    const sim = organised();
    const args = commands[name].example(sim);
    const before = fromSnapshot(sim);
    for (const each of [sim, before]) each.command(name, args as never);
    const after = fromSnapshot(sim);
    for (const each of [sim, before, after]) each.advance("PT10M");
    expect(stateText(before)).toBe(stateText(sim));
    expect(stateText(after)).toBe(stateText(sim));
  });

  test.each(names)("%s is in the timeline with whoever gives it", (name) => {
    const sim = organised();
    const args = commands[name].example(sim);
    const before = causesIn(sim.events.toTimeline());
    sim.command(name, args as never);
    const after = causesIn(sim.events.toTimeline());
    const lines = after.slice(before.length);
    if (told[name] !== undefined) expect(lines).toEqual(told[name] === "" ? [] : [told[name]]);
    else expect(lines).toEqual([expect.stringContaining(declared(name, args))]);
  });

  test.each(names)(
    "%s with unknown ids can be put into words: it is refused with a usual error and no row",
    (name) => {
      const sim = organised();
      sim.narrate();
      const args = unknownIn(commands[name].example(sim));
      const told = sim.events.toTimeline();
      try {
        sim.command(name, args as never);
      } catch (error) {
        expect((error as Error).name).toMatch(/^(CommandError|InputError)$/);
        expect(sim.events.toTimeline()).toBe(told);
      }
    },
  );

  test.each(names)("%s rejects an unknown key and changes nothing", (name) => {
    const sim = organised();
    const args = { ...commands[name].example(sim), nonsense: true };
    const before = fingerprint(sim);
    expect(() => sim.command(name, args as never)).toThrow("nonsense: unknown");
    expect(fingerprint(sim)).toBe(before);
  });
});

test("Commands of a folder stand together, since the table of steps has their order", async () => {
  const list = new URL("../../../src/core/platform/catalogue/commands.ts", import.meta.url);
  const imports = (await readFile(list, "utf8")).matchAll(
    /^import \{ (\w+) \} from "\.\.\/([\w-]+)\/commands\//gm,
  );
  const folders = new Map([...imports].map(([, name = "", folder = ""]) => [name, folder]));
  const order = Object.keys(commands).map((name) => ({ name, folder: folders.get(name) }));
  const misplaced = order.filter(
    ({ folder }, place) =>
      folder !== order[place - 1]?.folder && order.slice(0, place).some((each) => each.folder === folder),
  );
  expectNone(
    misplaced.map(
      ({ name, folder }) => `catalogue/commands.ts: move ${name} to the other commands of ${folder}`,
    ),
  );
});
