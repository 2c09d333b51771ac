import type { CoreServices } from "../base/core-services.ts";
import type { LiveCalls } from "../live/live-calls.ts";
import { listRinging } from "../live/parties.ts";

/** Every endpoint that rings now, with its call and its user or device, who may answer or decline there. */
export function everyRinging({ live, tables }: CoreServices & { readonly live: LiveCalls }) {
  return live.ids().flatMap((call) =>
    listRinging(tables.calls.mustGet(call), live.get(call)).map(({ endpoint, ...who }) => {
      const by = "user" in who ? who.user : "device" in who ? who.device : who.number;
      return { call, by, endpoint };
    }),
  );
}
