import type { AgendaItem } from "../../engine/agenda.ts";
import { findLongestMs } from "../../foundation/distributions.ts";
import { CommandError } from "../../foundation/errors.ts";
import type { CoreServices } from "../base/core-services.ts";
import type { Calls } from "../calls/calls.ts";
import type { InboundArguments } from "../calls/schemas.ts";
import { defineService, type Tasks } from "../declare/service.ts";
import type { Directory } from "../directory/directory.ts";
import type { TrafficArguments } from "../organisation/behaviour.ts";
import type { ActingPeople } from "../people/people.ts";

export interface Needs extends CoreServices {
  readonly directory: Directory;
  readonly people: ActingPeople;
  readonly calls: Calls;
}

export interface State {
  /** How many traffics were started. */
  count: number;
}

/** The next call of a traffic, as the agenda holds it. */
interface Scheduled {
  /** Which traffic of the run it is, from 1. Its streams are named after it. */
  readonly serial: number;
  readonly args: TrafficArguments;
  readonly untilMs: number;
  /** Which call of the traffic is next, from 0. */
  readonly index: number;
}

const NEXT_CALL = "traffic.call";

/** Load: calls from outside at drawn intervals. They follow from one command, so they are in no journal. */
export class Traffic {
  constructor(
    private readonly services: Needs,
    private readonly state: State,
  ) {}

  /** The handlers of its scheduled tasks. */
  static readonly tasks: Tasks<Traffic> = { [NEXT_CALL]: (traffic, item) => traffic.call(item) };

  /**
   * Starts a traffic. The first call begins after one interval, the last by the end of the whole time.
   * @throws {CommandError} `unknown_number`; `invalid_argument` for an interval that is always 0
   */
  begin(args: TrafficArguments): void {
    const { directory, engine } = this.services;
    directory.mustFindOwner(args.to);
    if (findLongestMs(args.every) === 0)
      throw new CommandError(
        "invalid_argument",
        "traffic: every: expected a duration above 0, or a distribution of such: with 0, calls begin for ever at one instant",
      );
    this.state.count++;
    this.scheduleNext({ serial: this.state.count, args, untilMs: engine.now + args.for, index: 0 });
  }

  /** The call that an agenda item begins, if it begins one. */
  drawCall(item: AgendaItem): InboundArguments | undefined {
    if (item.task !== NEXT_CALL) return undefined;
    const { serial, args, index } = item.data as Scheduled;
    const { to, from, behaviour, priority } = args;
    return { from: callerNumber(from, serial, index), to, behaviour, priority };
  }

  private call(item: AgendaItem): void {
    const next = item.data as Scheduled;
    const args = this.drawCall(item);
    if (args !== undefined) this.services.calls.inbound(args, streamsOf(next));
    this.scheduleNext({ ...next, index: next.index + 1 });
  }

  private scheduleNext(next: Scheduled): void {
    const { people, directory, engine } = this.services;
    const delayMs = people.draw(next.args.every, `${streamsOf(next)}: every`);
    if (engine.now + delayMs > next.untilMs) return;
    const { id } = directory.mustFindOwner(next.args.to).record;
    engine.schedule(delayMs, NEXT_CALL, id, "traffic: next call", next);
  }
}

const streamsOf = ({ serial }: Scheduled) => `traffic ${serial}`;

/**
 * The number of a caller: counted up from the given one, or made of +999, which the numbering plan keeps in reserve,
 * the traffic's serial number and the call's.
 */
function callerNumber(first: string | undefined, serial: number, index: number): string {
  if (first !== undefined) return `+${Number(first.slice(1)) + index}`;
  return `+999${String(serial).padStart(4, "0")}${String(index + 1).padStart(8, "0")}`;
}

/** Load: calls from outside at drawn intervals. */
export const trafficService = defineService({
  init: (): State => ({ count: 0 }),
  create: (services: Needs, state) => new Traffic(services, state),
  tasks: Traffic.tasks,
});
