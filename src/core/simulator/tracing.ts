import type { Tracer } from "../engine/tracer.ts";
import type { MachineTypes } from "../platform/base/machine-types.ts";
import type { Services } from "../platform/catalogue/services.ts";

/** Wraps a tracer so that it gets acts of simulated people as commands. */
export function attachTracer(services: Services, tracer: Tracer<MachineTypes>): Tracer<MachineTypes> {
  const { people, traffic } = services;
  return {
    command: (name, args) => tracer.command(name, args),
    commandRefused: () => tracer.commandRefused?.(),
    fact: (machine, about, fact) => tracer.fact(machine, about, fact),
    event: (event) => tracer.event(event),
    requestOver: (request) => tracer.requestOver(request),
    requestDeviates: (request, deviation) => tracer.requestDeviates(request, deviation),
    timerDeviates: (first, before, atMs) => tracer.timerDeviates?.(first, before, atMs),
    domainEvent: (what, of) => tracer.domainEvent?.(what, of),
    machine: (step) => tracer.machine?.(step),
    item: (item) => {
      const act = people.actOf(item);
      const call = traffic.drawCall(item);
      if (act !== undefined) tracer.command(act.command, act.args);
      else if (call !== undefined) tracer.command("inbound", call);
      else tracer.item(item);
    },
  };
}
