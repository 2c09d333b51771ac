import { describe, expectTypeOf, test } from "vitest";
import type { FactDescriptions } from "../../src/core/narration/fact-descriptions.ts";
import type { callStates } from "../../src/core/narration/state-spans.ts";
import type { NetworkPurpose } from "../../src/core/network/network.ts";
import type { MachineTimer, MachineTypes, StateOf } from "../../src/core/platform/base/machine-types.ts";
import type { Purpose, timers } from "../../src/core/platform/base/timers.ts";
import type { Services } from "../../src/core/platform/catalogue/services.ts";
import type { AnyCommand } from "../../src/core/platform/declare/any-command.ts";
import type { EventType } from "../../src/core/platform/declare/events.ts";
import type { eventCauses } from "../../src/core/platform/reactions/event-causes.ts";
import type { DomainEventReactions, FactReactions } from "../../src/core/platform/reactions/reaction.ts";

/** Whatever a timeline shows has its words, or does not compile. */

describe("a state", () => {
  test("is one of its machine's", () => {
    expectTypeOf<"voicemail">().toExtend<StateOf<"call">>();
    expectTypeOf<"noSuchState">().not.toExtend<StateOf<"call">>();
  });

  test("must say what a page draws while it lasts", () => {
    expectTypeOf<Omit<typeof callStates, "voicemail">>().not.toExtend<typeof callStates>();
  });
});

describe("a timer", () => {
  test("is a delay of a machine, or an event that the machine raises later", () => {
    expectTypeOf<"ring: ringTimeout" | "conversation: closeTimer">().toExtend<MachineTimer>();
    expectTypeOf<"ring: noSuchDelay">().not.toExtend<MachineTimer>();
    expectTypeOf<"conversation: UPDATE">().not.toExtend<MachineTimer>();
  });

  test("must have words", () => {
    expectTypeOf<Omit<typeof timers, "ring: ringTimeout">>().not.toExtend<typeof timers>();
    expectTypeOf<Omit<typeof timers, "call: tariff calculated">>().not.toExtend<typeof timers>();
  });
});

describe("a command", () => {
  test("must say who gives it, and what they do by it", () => {
    expectTypeOf<Omit<AnyCommand, "actor">>().not.toExtend<AnyCommand>();
    expectTypeOf<Omit<AnyCommand, "describe">>().not.toExtend<AnyCommand>();
  });
});

describe("a fact of a machine", () => {
  test("has a description, or shows in what follows from it", () => {
    type Deliveries = FactDescriptions["delivery"];
    expectTypeOf<keyof Deliveries>().toEqualTypeOf<MachineTypes["delivery"]["fact"]["type"]>();
    expectTypeOf<Omit<FactDescriptions, "voicemail">>().not.toExtend<FactDescriptions>();
    expectTypeOf<Omit<Deliveries, "givenUp">>().not.toExtend<Deliveries>();
  });

  test("needs no description if its machine's part says that its facts show", () => {
    expectTypeOf<Omit<FactDescriptions, "call">>().toExtend<FactDescriptions>();
    expectTypeOf<{
      readonly call: { readonly hungUp: "shown elsewhere" };
    }>().not.toExtend<FactDescriptions>();
  });
});

describe("the lists of reactions", () => {
  test("must name each fact and each domain event", () => {
    expectTypeOf<Omit<FactReactions["call"], "left">>().not.toExtend<FactReactions["call"]>();
    expectTypeOf<Omit<DomainEventReactions, "offerReady">>().not.toExtend<DomainEventReactions>();
  });

  test("have causes for each type of event", () => {
    expectTypeOf<keyof typeof eventCauses>().toEqualTypeOf<EventType>();
  });
});

describe("the purpose of an agenda item", () => {
  test("must be known before a service can schedule it", () => {
    type Schedule = Services["engine"]["schedule"];
    expectTypeOf<Parameters<Schedule>[3]>().toEqualTypeOf<Purpose>();
    expectTypeOf<"call: lights a lamp">().not.toExtend<Purpose>();
  });

  test("is one of the network's own, given the network schedules it", () => {
    expectTypeOf<NetworkPurpose>().toExtend<Purpose>();
    expectTypeOf<string>().not.toExtend<NetworkPurpose>();
  });
});
