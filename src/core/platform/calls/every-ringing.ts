import type { CoreServices } from "../base/core-services.ts";
import type { LiveCalls } from "../live/live-calls.ts";
import { ringingOf } from "../live/parties.ts";

/** Each endpoint that rings now, with its call and whom it rings: they may answer there, or decline. */
export function everyRinging({ live, tables }: CoreServices & { readonly live: LiveCalls }) {
  return live.ids().flatMap((call) =>
    ringingOf(tables.calls.mustGet(call), live.get(call)).map(({ endpoint, ...who }) => {
      const by = "user" in who ? who.user : "device" in who ? who.device : who.number;
      return { call, by, endpoint };
    }),
  );
}
