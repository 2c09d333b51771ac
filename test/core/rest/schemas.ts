import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

/**
 * Returns a function that lists how a value differs from a schema of an OpenAPI document. It compiles each schema once,
 * which takes longer than all its checks.
 */
export function problemsBy({ components }: { readonly components: object }) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ $id: "api", components });
  const compiled = new Map<string, ValidateFunction>();
  return (schema: unknown, value: unknown): readonly unknown[] => {
    const absolute = JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/');
    const validate = compiled.get(absolute) ?? ajv.compile(JSON.parse(absolute));
    compiled.set(absolute, validate);
    return validate(value) ? [] : (validate.errors ?? []);
  };
}
