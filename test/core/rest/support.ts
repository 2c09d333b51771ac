import {
  createSimulator,
  demoOrganisation,
  type OrganisationInput,
  type Simulator,
} from "../../../src/index.ts";

/** An answer, with its body read. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: what a test expects of a body is for the test to say
  readonly body: any;
}

/** Sends a request as a client with a valid token. */
export async function ask(
  sim: Simulator,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const response = await sim.fetch(path, {
    method,
    headers: { authorization: `Bearer ${sim.token()}`, "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  return read(response);
}

export async function read(response: Response): Promise<Answered> {
  const text = await response.text();
  const { status, headers } = response;
  return { status, headers, body: text === "" ? undefined : JSON.parse(text) };
}

/** The demo organisation with recordings and trunks. */
export const pbxOrganisation = {
  ...demoOrganisation,
  features: { recording: true, transcription: true, analysis: true, pbx: true },
  trunks: [{ id: "pbx", name: "Old PBX", devices: [{ id: "gate", displayName: "Gate", extension: "6001" }] }],
} satisfies OrganisationInput;

export const newSimulator = (organisation: OrganisationInput = pbxOrganisation) =>
  createSimulator({ organisation, ids: "counter" });

/** Plays calls to Alice, a minute apart, each answered and hung up. */
export function playCalls(sim: Simulator, count: number, from = "+6421555001"): void {
  for (let index = 0; index < count; index++) {
    const call = sim.calls.inbound({ from, to: "+6495550100" });
    call.answer("alice");
    sim.advance("PT30S");
    call.hangup("caller");
    sim.advance("PT30S");
  }
}
