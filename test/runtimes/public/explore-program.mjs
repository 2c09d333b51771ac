// Explores one program of this folder: `node explore-program.mjs fastify-queue.mjs [defect]`. Its last line is what it finds, as JSON.
import { exploreReport } from "ringback/explore";

const [file, defect] = process.argv.slice(2);
const { program } = await import(new URL(file, import.meta.url).href);
const before = process.cpuUsage();
const report = await exploreReport({ forged: false, ...(await program.explored(defect)) });
const { user, system } = process.cpuUsage(before);
const failures = report.failures.map(({ property, story, smallest, also }) => ({
  property,
  story,
  kinds: [smallest.deviations, ...also].map((each) => each.map(({ is }) => is).join(" and ")),
}));
await program.end?.();
const { worlds, passed, complete } = report;
process.stdout.write(
  `\n${JSON.stringify({ worlds, passed, complete, cpuS: (user + system) / 1e6, failures })}\n`,
);
process.exit();
