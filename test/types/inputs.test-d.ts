import type { InferInput, InferOutput } from "valibot";
import { describe, expectTypeOf, test } from "vitest";
import type { CommandInputs, CommandResults, Organisation } from "../../src/generated/inputs.ts";
import { createSimulator, type OrganisationInput } from "../../src/index.ts";
import type { CommandName } from "../../src/platform/base.ts";
import type { commands } from "../../src/platform/commands.ts";
import type { organisationSchema } from "../../src/platform/organisation/schema.ts";
import type { DeepReadonly } from "./deep-readonly.ts";

/** Type-checked, never run: the generated plain types agree with their schemas. */

describe("the types that are made", () => {
  // our types are read-only where a schema's input type is mutable
  test("say of every command what its schema reads and what it returns", () => {
    type Commands = typeof commands;
    type Input<Name extends CommandName> = InferInput<Commands[Name]["schema"]>;
    type Different = {
      [Name in CommandName]: [Input<Name>, DeepReadonly<CommandInputs[Name]>] extends [
        CommandInputs[Name],
        DeepReadonly<Input<Name>>,
      ]
        ? never
        : Name;
    }[CommandName];
    expectTypeOf<Different>().toEqualTypeOf<never>();
    expectTypeOf<keyof CommandInputs>().toEqualTypeOf<keyof Commands>();
    expectTypeOf<CommandResults>().toEqualTypeOf<{
      [Name in CommandName]: Exclude<Commands[Name]["returns"], undefined>;
    }>();
  });

  test("say of an organisation what its schema reads and gives", () => {
    expectTypeOf<InferInput<typeof organisationSchema>>().toExtend<OrganisationInput>();
    expectTypeOf<DeepReadonly<OrganisationInput>>().toExtend<
      DeepReadonly<InferInput<typeof organisationSchema>>
    >();
    expectTypeOf<Organisation>().toEqualTypeOf<InferOutput<typeof organisationSchema>>();
  });
});

test("what is given may be constant to the bottom", () => {
  const webhook = { url: "https://crm.acme.test/hooks", events: ["call.ended", "call.hungup"] } as const;
  createSimulator().webhooks.create(webhook);
  createSimulator({ organisation: { id: "acme", webhooks: [webhook], users: [] } as const });
});
