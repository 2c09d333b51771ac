// A call log as a route of Next: what the webhook tells goes into Supabase.
import { createClient } from "@supabase/supabase-js";
import { NextResponse } from "next/server.js";
import { fromFetch } from "ringback";
import { callLog } from "ringback/explore";

/** The route, as `app/api/hooks/route.ts` has it. */
function route(supabase, defect) {
  async function POST(request) {
    const { data } = await request.json();
    const { id, contactNumber, answeredAt, duration } = data.call;
    const row = {
      id,
      number: contactNumber,
      answered: answeredAt !== null,
      seconds: Math.round(duration / 1_000),
    };
    const calls = supabase.from("calls");
    // it returns errors, and throws none
    const { error } = await (defect === "inserts a row for each delivery"
      ? calls.insert(row)
      : calls.upsert(row));
    if (error !== null && defect !== "ignores the error that Supabase returns")
      return NextResponse.json({ error: error.message }, { status: 500 });
    return new NextResponse(null, { status: 204 });
  }
  return { POST };
}

// What explores it

/** Supabase as far as it is used: PostgREST with one table, at the other end of a `fetch`. */
class Supabase {
  rows = [];
  fetch = async (_url, { body, headers }) => {
    await new Promise(setImmediate);
    const row = JSON.parse(body);
    const isMerged = new Headers(headers).get("prefer")?.includes("resolution=merge-duplicates");
    if (isMerged) this.rows = this.rows.filter(({ id }) => id !== row.id);
    this.rows.push(row);
    return new Response(null, { status: 201 });
  };
}

const rows = ({ rows }) => rows.map(({ id, ...row }) => ({ callId: id, ...row }));

const explored = (defect) => ({
  scenario: new URL("calls.yaml", import.meta.url).pathname,
  durable: () => new Supabase(),
  app(sim, durable) {
    const fetch = sim.dependency("supabase", durable.fetch);
    const auth = { persistSession: false, autoRefreshToken: false };
    const realtime = { transport: class {} };
    const client = createClient("https://project.supabase.co", "key", { global: { fetch }, auth, realtime });
    const { POST } = route(client, defect);
    sim.network.route("https://app.test/", fromFetch(POST));
    return durable;
  },
  show: rows,
  ...callLog({ rows }),
});

export const program = {
  name: "Next, Supabase",
  explored,
  expected: {
    "inserts a row for each delivery": "unanswered",
    "ignores the error that Supabase returns": "refused",
  },
};
