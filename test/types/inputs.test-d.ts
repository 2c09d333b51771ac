import type { InferInput, InferOutput } from "valibot";
import { describe, expectTypeOf, test } from "vitest";
import type { DeepReadonly } from "../../src/core/foundation/deep-readonly.ts";
import type { CommandInputs, CommandResults, Organisation } from "../../src/core/generated/inputs.ts";
import type { CommandName } from "../../src/core/platform/base/core-services.ts";
import type { commands } from "../../src/core/platform/catalogue/commands.ts";
import type { organisationSchema } from "../../src/core/platform/organisation/schema.ts";
import { createSimulator, type OrganisationInput } from "../../src/index.ts";

/** Type-checked, never run: the generated plain types agree with their schemas. */

describe("the generated types of input", () => {
  // our types are read-only where a schema's input type is mutable
  test("equal every command's schema and result", () => {
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

  test("equal the organisation's schema", () => {
    expectTypeOf<InferInput<typeof organisationSchema>>().toExtend<OrganisationInput>();
    expectTypeOf<DeepReadonly<OrganisationInput>>().toExtend<
      DeepReadonly<InferInput<typeof organisationSchema>>
    >();
    expectTypeOf<Organisation>().toEqualTypeOf<InferOutput<typeof organisationSchema>>();
  });
});

test("input may be deeply constant", () => {
  const webhook = { url: "https://crm.acme.test/hooks", events: ["call.ended", "call.hungup"] } as const;
  createSimulator().webhooks.create(webhook);
  createSimulator({ organisation: { id: "acme", webhooks: [webhook], users: [] } as const });
});
