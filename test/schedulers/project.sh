# Sourced by the scripts beside it: makes a folder with a scenario and an app that has a defect, and goes there.
# $1 is ringback's command: `dist/cli.js` after `npm run build`, by default.

cli=$(realpath "${1:-$(dirname "$0")/../../dist/cli.js}")
folder=$(mktemp -d)
cd "$folder"
export RINGBACK_RESULTS=off

cat > scenario.yaml <<'END'
scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "https://crm.test/hooks", events: [call.started, call.not_answered] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
END
cat > app.mjs <<'END'
export const subject = (sim) => {
  let count = 0;
  sim.network.route("https://crm.test/hooks", () => (count++, 204));
  return () => count;
};
export const eventually = {
  "is counted once": (_, count) => {
    if (count() !== 2) throw new Error(`counted ${count()} times`);
  },
};
END

explore="node $cli explore scenario.yaml --with ./app.mjs --deviations 2"

# Compares the merged parts with one exploration of the whole.
compare() {
  $explore > whole.txt || [ $? -eq 1 ]
  node "$cli" merge part-*.jsonl > merged.txt || [ $? -eq 1 ]
  diff whole.txt merged.txt
  head -n 1 merged.txt
  rm part-2.jsonl
  if node "$cli" merge part-*.jsonl 2> missing.txt; then
    echo "merge accepts three of four parts" >&2
    exit 1
  fi
  cat missing.txt
}
