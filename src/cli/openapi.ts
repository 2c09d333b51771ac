import { Option } from "commander";
import type { ProfileName } from "../core/platform/declare/profile.ts";
import { createSimulator, type Simulator } from "../core/simulator/simulator.ts";
import { profileOption } from "./arguments.ts";
import type { CommandRow } from "./command-row.ts";
import type { CommandOutput } from "./output.ts";
import { dialectIn } from "./serve.ts";

interface OpenApiFlags {
  readonly control?: boolean;
  readonly dialect?: string;
  readonly profile?: ProfileName;
}

/** Stands for the server's address, which is not known yet, as in the documentation's examples. */
const SERVER = "http://127.0.0.1:8080";

/** `ringback openapi`. */
export const openApiCommand: CommandRow = {
  name: "openapi",
  group: "server",
  summary: "print the OpenAPI 3.1 document of the REST API, as JSON",
  mayChange: ["--profile"],
  declare: (command, output, exit) =>
    command
      .addOption(
        new Option("--control", "instead: the document of a server's control plane").conflicts("dialect"),
      )
      .option("--dialect <file>", "the service's own names, in YAML or JSON")
      .addOption(profileOption().conflicts("control"))
      .addOption(new Option("--json", "print what went wrong as JSON too"))
      .action((flags: OpenApiFlags) => exit(print(flags, output))),
};

async function print(
  { control = false, dialect, profile }: OpenApiFlags,
  output: CommandOutput,
): Promise<number> {
  const names = dialect === undefined ? {} : { dialect: await dialectIn(dialect) };
  const simulator = createSimulator({ ...names, profile });
  const document = control ? await controlPlane(simulator) : await simulator.openapi();
  output.out(`${JSON.stringify(document, null, 2)}\n`);
  return 0;
}

/** Loaded only when it is asked for. */
async function controlPlane(simulator: Simulator) {
  const { controlDocument } = await import("../server/control-document.ts");
  return controlDocument(simulator, SERVER);
}
