/** House rules on imports of `src` and `machines`, of types too. `npm run test:lint` checks them. */

/** From the bottom up: a file imports from its own layer and those below. */
const layers = [
  "^machines/",
  "^src/core/foundation/",
  "^src/core/statecharts/",
  "^src/core/engine/",
  "^src/core/generated/",
  "^src/core/records/",
  "^src/core/network/",
  "^src/core/platform/",
  "^src/core/(narration|rest|why)/",
  "^src/core/simulator/",
  "^src/core/scenario/",
  "^src/index[.]ts$",
  "^src/(findings|phone-numbers|capture|look|stories)/",
  "^src/inspector/",
  "^src/testing/",
  "^src/(explore|server)/",
  "^src/(cli|build)/",
  "^(test|docs)/",
];

/** Runs on Node only. Everything else also runs in a browser. */
const onNode = "^src/(server|cli|build|inspector/build)/|watchdog-thread\\.mjs$";

module.exports = {
  forbidden: [
    {
      name: "no-ring-of-files",
      comment: "Pass in what is needed, or take out what the files share.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-ring-of-folders",
      comment: "Move the file that closes the ring to the folder that it belongs to.",
      severity: "error",
      scope: "folder",
      from: {},
      to: { circular: true },
    },
    {
      name: "every-file-has-a-layer",
      comment: "Move the file into a layer, or name its folder in `layers`.",
      severity: "error",
      from: { path: "^src/", pathNot: layers.join("|") },
      to: {},
    },
    ...layers.slice(0, -1).map((layer, index) => ({
      name: `imports-run-downward: ${layer}`,
      comment: "Pass in what is needed, or move it down.",
      severity: "error",
      from: { path: layer },
      to: { path: layers.slice(index + 1).join("|") },
    })),
    {
      name: "machines-import-only-xstate",
      comment: "A machine knows xstate and other machines: what it needs is in its input and events.",
      severity: "error",
      from: { path: "^machines/" },
      to: { pathNot: "^machines/|^node_modules/xstate/" },
    },
    {
      name: "no-node-in-a-browser",
      comment:
        "Take it as an option, or ask for it by src/core/foundation/node-module.ts, which browsers do without.",
      severity: "error",
      from: { pathNot: onNode },
      to: { dependencyTypes: ["core"], dependencyTypesNot: ["type-only", "type-import"] },
    },
  ],
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      extensions: [".ts", ".tsx", ".js", ".mjs", ".json", ".d.ts"],
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "default"],
    },
  },
};
