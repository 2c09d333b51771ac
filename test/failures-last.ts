import type { Reporter, SerializedError, TestModule } from "vitest/node";

/** Of a longer message, so that all failures stand in the last lines of a log. */
const LONGEST_MESSAGE = 2000;

const inShort = ({ message, stack }: SerializedError | Error) =>
  `${message.slice(0, LONGEST_MESSAGE)}\n${(stack ?? "").split("\n").slice(0, 6).join("\n")}`;

const failuresOf = (module: TestModule) => [
  ...module.errors().map((error) => `${module.relativeModuleId}\n${inShort(error)}`),
  ...[...module.children.allTests("failed")].map(
    (test) =>
      `${module.relativeModuleId} > ${test.fullName}\n${(test.result().errors ?? []).map(inShort).join("\n")}`,
  ),
];

/**
 * Repeats what failed, at the end and on standard output: the lanes of `npm test` print that one by one, while errors go out
 * at once, so whoever has only the end of a log would not see which test failed.
 */
export const failuresLast: Reporter = {
  onTestRunEnd(modules, unhandled) {
    const failures = [...modules.flatMap(failuresOf), ...unhandled.map(inShort)];
    if (failures.length > 0) {
      process.stdout.write(`\nFailed, once more:\n\n${failures.join("\n\n")}\n\n`);
    }
  },
};
