import { commandOfStep } from "../../src/core/scenario/schema.ts";
import { type Exported, exportsOf, type Member } from "./api.ts";
import { banner } from "./banner.ts";
import { entries } from "./entries.ts";
import { fenced, headingAnchor } from "./markdown.ts";
import type { Page } from "./pages.ts";

/** A page about one object: what it is, and the types that its members take and return. */
interface ObjectPage {
  readonly title: string;
  /** What the page is about, for the list of pages. */
  readonly about: string;
  /** The exports that the page begins with. An object has the name by which an example calls it. */
  readonly begins: Readonly<Record<string, string>>;
  /** Exports that no object mentions, or that readers look for here. */
  readonly also?: readonly string[];
}

/** The pages of the entry `ringback`, by file. Any other export is on the page whose objects are the fewest steps away. */
const objectPages: Readonly<Record<string, ObjectPage>> = {
  simulator: {
    title: "Simulator",
    about: "make a simulator, let time pass, listen, replay and fork",
    begins: { createSimulator: "", replay: "", demoOrganisation: "", Simulator: "sim" },
    also: ["DateTime"],
  },
  calls: {
    title: "Calls",
    about: "`sim.calls`, and what people do with a call",
    begins: { CallsApi: "sim.calls", CallHandle: "call" },
    also: ["CallRecord", "CallerBehaviour", "Dial", "DialOutcome", "DialReason", "PartyTariff"],
  },
  events: {
    title: "Events",
    about: "`sim.events`: what happened",
    begins: { EventStream: "sim.events" },
    also: ["PlatformEvent", "Records", "EventData", "EventType", "EventHandler", "LoggedEvent"],
  },
  flows: {
    title: "Flows",
    about: "`sim.flows`: takes back the calls that return",
    begins: { FlowsApi: "sim.flows", ReturnedCall: "call" },
  },
  users: {
    title: "Users",
    about: "`sim.users`: availability, endpoints, behaviour",
    begins: { UsersApi: "sim.users", UserHandle: "user" },
  },
  teams: {
    title: "Teams and devices",
    about: "`sim.teams` and `sim.devices`",
    begins: { EntriesApi: "sim.teams", TeamHandle: "team", DeviceHandle: "" },
  },
  directory: {
    title: "Directory",
    about: "`sim.directory`: all that has an extension",
    begins: { DirectoryApi: "sim.directory" },
  },
  locations: {
    title: "Locations",
    about: "`sim.locations`: where users work",
    begins: { LocationsApi: "sim.locations" },
    also: ["LocationRecord"],
  },
  phonebooks: {
    title: "Phonebooks",
    about: "`sim.phonebooks`: contacts",
    begins: { PhonebooksApi: "sim.phonebooks" },
  },
  trunks: {
    title: "Trunks",
    about: "`sim.trunks`: other phone systems, with `features.pbx`",
    begins: { TrunksApi: "sim.trunks", TrunkHandle: "trunk", TrunkEntries: "trunk.devices" },
  },
  recordings: {
    title: "Recordings",
    about: "`sim.recordings`, with `features.recording`",
    begins: { RecordingsApi: "sim.recordings" },
  },
  transcripts: {
    title: "Transcripts",
    about: "`sim.transcripts`, with `features.transcription`",
    begins: { TranscriptsApi: "sim.transcripts" },
  },
  analysis: {
    title: "Analysis",
    about: "`sim.analysis`: content analysis jobs",
    begins: { AnalysisApi: "sim.analysis" },
  },
  conversations: {
    title: "Conversations",
    about: "`sim.conversations`: messages",
    begins: { ConversationsApi: "sim.conversations" },
  },
  network: {
    title: "Network",
    about: "`sim.network`: your endpoints, latency, loss and faults",
    begins: { NetworkApi: "sim.network", fromFetch: "", exponential: "", fixed: "", uniform: "" },
    also: ["DrawnDuration"],
  },
  webhooks: {
    title: "Webhooks",
    about: "`sim.webhooks`: deliveries and signatures",
    begins: { WebhooksApi: "sim.webhooks", verifySignature: "" },
  },
  rest: {
    title: "REST API",
    about: "`sim.rest`: requests of clients, and the OpenAPI document",
    begins: { RestApi: "sim.rest" },
    also: ["OpenApiDocument", "RequestBodies", "ResponseBodies", "RestErrorBody", "TokenResponse"],
  },
  scenarios: {
    title: "Scenarios",
    about: "read and run scenario files",
    begins: { parseScenario: "", runScenario: "" },
  },
  errors: {
    title: "Classes of errors",
    about: "what methods throw",
    begins: { CommandError: "", InputError: "", LimitError: "", RunawayError: "", ScenarioError: "" },
    also: ["ErrorDetail"],
  },
};

/** The objects of further entries, with the names by which examples call them. */
const entryObjects: Readonly<Record<string, string>> = {
  ExploreReport: "report",
  HttpSubject: "server",
  RingbackMatchers: "expect(sim)",
  SharedTime: "time",
  SimulatorServer: "server",
};

const generatedNote = banner("the sources");

/** One file of `docs/api`, and what is on it. */
interface Section {
  readonly file: string;
  readonly title: string;
  readonly about: string;
  readonly exports: readonly Exported[];
  /** The exports that the page begins with. */
  readonly begins: readonly string[];
  /** The names by which examples call objects. */
  readonly called: Readonly<Record<string, string>>;
}

let shared: readonly Section[] | undefined;

/** `docs/api/`: every public export with its docstring, a page for each object and each further entry. */
export function apiPages(): Page[] {
  const files = [...Object.keys(objectPages), ...Object.keys(entries).slice(1).map(fileOfEntry)];
  return [
    { path: "docs/api/README.md", content: () => listPage(sections()) },
    ...files.map((file) => ({
      path: `docs/api/${file}.md`,
      content: () => objectPage(sections().find((each) => each.file === file) as Section),
    })),
  ];
}

/** The functions and values without an `@example`, and so the methods of the objects that pages begin with. */
export function membersWithoutExample(): string[] {
  return sections().flatMap(({ exports, called }) =>
    exports.flatMap((each) => [
      ...(isValue(each) && each.examples.length === 0 ? [each.name] : []),
      ...(called[each.name] ? methodsOf(each) : [])
        .filter(({ examples }) => examples.length === 0)
        .map(({ name }) => `${each.name}.${name}`),
    ]),
  );
}

/** Whether it is a function or a value, and no class. */
function isValue({ isType, code }: Exported): boolean {
  return !isType && /^(async )?(function|const)\b/.test(code);
}

function sections(): readonly Section[] {
  shared ??= [
    ...objectSections(exportsOf("ringback")),
    ...Object.keys(entries)
      .slice(1)
      .map((entry) => ({
        file: fileOfEntry(entry),
        title: entry,
        about: `what \`import … from "${entry}"\` gives`,
        exports: exportsOf(entry),
        begins: [],
        called: entryObjects,
      })),
  ];
  return shared;
}

function fileOfEntry(entry: string): string {
  return entry.replace("ringback/", "ringback-");
}

/** Shares out the exports: from the objects of all pages at once, one step of mentions at a time. */
function objectSections(all: readonly Exported[]): Section[] {
  const byName = new Map(all.map((each) => [each.name, each]));
  const fileOf = new Map<string, string>();
  const place = (file: string, names: readonly string[]) => {
    for (const name of names) {
      if (!byName.has(name)) throw new Error(`docs/generate/api-pages.ts: ringback does not export ${name}`);
      fileOf.set(name, file);
    }
    return names;
  };
  const pages = Object.entries(objectPages);
  const begins = pages.flatMap(([file, page]) => place(file, Object.keys(page.begins)));
  const also = pages.flatMap(([file, page]) => place(file, page.also ?? []));
  // what an object mentions is found from there first
  for (const from of [begins, also]) placeMentioned(from, byName, fileOf);
  const lost = all.filter(({ name }) => !fileOf.has(name)).map(({ name }) => name);
  if (lost.length > 0)
    throw new Error(
      `docs/generate/api-pages.ts: no object mentions ${lost.join(", ")}; add each to also of the page where a reader looks for it`,
    );
  return pages.map(([file, { title, about, begins }]) => {
    const first = Object.keys(begins);
    const others = all.filter(({ name }) => fileOf.get(name) === file && !first.includes(name));
    const exports = [...first.map((name) => byName.get(name) as Exported), ...others];
    return { file, title, about, exports, begins: first, called: begins };
  });
}

/** Places what is mentioned from names that have their place, the nearest first. */
function placeMentioned(
  begins: readonly string[],
  byName: ReadonlyMap<string, Exported>,
  fileOf: Map<string, string>,
): void {
  let edge = begins;
  while (edge.length > 0) {
    const next: string[] = [];
    for (const from of edge)
      for (const name of byName.get(from)?.mentions ?? []) {
        if (fileOf.has(name)) continue;
        fileOf.set(name, fileOf.get(from) as string);
        next.push(name);
      }
    edge = next;
  }
}

function listPage(all: readonly Section[]): string {
  const names = all
    .flatMap(({ file, exports }) =>
      exports.flatMap(({ name, isImported }) => (isImported ? [{ file, name }] : [])),
    )
    .sort((one, other) => (one.name.toLowerCase() < other.name.toLowerCase() ? -1 : 1));
  const line = ({ file, title, about }: Section) => `- [${title}](${file}.md): ${about}`;
  const isEntry = ({ file }: Section) => file.startsWith("ringback-");
  return [
    generatedNote,
    "# API",
    "Everything that you can import, with the descriptions and examples that editors show. A *duration* is an ISO 8601 text such as `PT30S`, a Luxon `Duration` or an object such as `{ seconds: 30 }`, or a number of milliseconds.",
    "In the examples, `sim` is a new simulator, `const sim = createSimulator()`, unless the example makes its own; `time` is what `shareTime` gives, and `server` of `ringback/explore` what an app of `httpApp` gives. `// =>` says what the line before it gives. A test runs them all.",
    `## ringback\n\n${all
      .filter((each) => !isEntry(each))
      .map(line)
      .join("\n")}`,
    `## Other entries\n\n${all.filter(isEntry).map(line).join("\n")}`,
    `## All names\n\n${names.map(({ file, name }) => `[\`${name}\`](${file}.md#${anchor(name)})`).join(" · ")}`,
    "",
  ].join("\n\n");
}

function objectPage(section: Section): string {
  const { title, exports, begins, called } = section;
  const first = exports.filter(({ name }) => begins.includes(name));
  const listed = first.length > 0 ? first : exports;
  const links = linksOf(section);
  return [
    generatedNote,
    `# ${title}`,
    listed.map(({ name }) => `[\`${name}\`](#${anchor(name)})`).join(" · "),
    ...first.flatMap((each) => methodList(each, called[each.name] || each.name)),
    ...exports.map((each) => exportSection(each, called[each.name] || each.name, links)),
    "",
  ].join("\n\n");
}

/** The anchor that a heading of a name gets. */
function anchor(name: string): string {
  return name.toLowerCase();
}

/** The methods of an object that have a heading of their own. */
function methodList(shown: Exported, called: string): string[] {
  const titles = methodsOf(shown).flatMap((each) =>
    each.examples.length === 0 ? [] : [{ name: each.name, title: titleOf(each.name, called) }],
  );
  const links = titles.map(({ name, title }) => `[\`${name}\`](#${headingAnchor(title)})`);
  return links.length === 0 ? [] : [`Methods of \`${called}\`: ${links.join(" · ")}`];
}

function titleOf(name: string, called: string): string {
  return name.startsWith("[") ? `${called}${name}` : `${called}.${name}`;
}

/** Finds where a type is described; undefined if no page has it. */
type Links = (name: string) => string | undefined;

/** The types that a page mentions: its own, those of its entry, and those of `ringback`. */
function linksOf({ file, exports }: Section): Links {
  const own = new Set(exports.map(({ name }) => name));
  return (name) => {
    if (own.has(name)) return `#${anchor(name)}`;
    const other = sections().find(
      (each) => !each.file.startsWith("ringback-") && each.exports.some((one) => one.name === name),
    );
    return other === undefined || other.file === file ? undefined : `${other.file}.md#${anchor(name)}`;
  };
}

/** Links to the types that a declaration names. */
function typeLinks(code: string, self: string, links: Links): string[] {
  const names = [...new Set(code.match(/\b[A-Z][A-Za-z]+\b/g) ?? [])].filter((name) => name !== self);
  const types = names.flatMap((name) => {
    const target = links(name);
    return target === undefined ? [] : [`[\`${name}\`](${target})`];
  });
  const commands = [...code.matchAll(/CommandInput<"(\w+)">/g)].flatMap(([, name = ""]) =>
    name in commandOfStep ? [`[the keys of \`${name}\`](../reference/steps.md#${anchor(name)})`] : [],
  );
  return [...commands, ...types];
}

/** @param called the name by which an example calls the object */
function exportSection(shown: Exported, called: string, links: Links): string {
  const { name, doc, code, members, examples } = shown;
  const methods = methodsOf(shown).filter((each) => each.examples.length > 0);
  const listed = members.filter((member) => !methods.some((each) => each.name === member.name));
  return [
    `## ${name}`,
    ...(doc === "" ? [] : [doc]),
    fenced("typescript", code),
    ...examples.map((text) => fenced("ts", text)),
    ...(listed.length === 0 ? [] : [listed.map((member) => memberLine(member, name, links)).join("\n")]),
    ...methods.map((method) => methodSection(method, members, { called, self: name, links })),
  ].join("\n\n");
}

function memberLine(member: Member, self: string, links: Links): string {
  const { doc } = member;
  const code = shortCode(member.code);
  const keys = code === member.code ? [] : keysElsewhere(self, member.name);
  const more = [...keys, ...typeLinks(code, self, links)];
  const text = doc === "" ? "" : `: ${doc.replaceAll("\n", " ")}`;
  return `- \`${code}\`${text}${more.length === 0 ? "" : ` (${more.join(", ")})`}`;
}

/** A longer type takes more than three lines of a page. */
const LONGEST_INLINE = 200;

/** A declaration without the inside of its objects, if it is long. */
function shortCode(code: string): string {
  if (code.length <= LONGEST_INLINE) return code;
  let text = code;
  // from the inside out
  while (/\{[^{}…]*\}/.test(text)) text = text.replaceAll(/\{[^{}…]*\}/g, "⟦⟧");
  while (/\{[^{}]*⟦⟧[^{}]*\}/.test(text)) text = text.replaceAll(/\{[^{}]*\}/g, "⟦⟧");
  return text.replaceAll("⟦⟧", "{ … }");
}

/** Where the keys of a long type are described. */
function keysElsewhere(self: string, member: string): string[] {
  if (/^Organisation(Input)?$/.test(self))
    return [`[its keys](../reference/organisation.md#${anchor(member)})`];
  if (/^(Request|Response)Bodies$/.test(self)) return ["[its fields](../reference/README.md#rest-api)"];
  return [];
}

/** The methods of an object, each once: the first of its overloads. */
function methodsOf({ members }: Exported): Member[] {
  const methods = members.filter(({ isMethod }) => isMethod);
  return methods.filter(({ name }, index) => methods.findIndex((each) => each.name === name) === index);
}

function methodSection(
  { name, doc, examples }: Member,
  members: readonly Member[],
  { called, self, links }: { readonly called: string; readonly self: string; readonly links: Links },
): string {
  const overloads = members.filter((each) => each.name === name).map(({ code }) => code);
  const types = typeLinks(overloads.join(" "), self, links);
  return [
    `### ${titleOf(name, called)}`,
    fenced("typescript", overloads.join("\n")),
    ...(doc === "" ? [] : [doc]),
    ...(types.length === 0 ? [] : [`Types: ${types.join(", ")}`]),
    ...examples.map((text) => fenced("ts", text)),
  ].join("\n\n");
}
