/** `require("ringback/vitest")` leads here: the types exist for CommonJS, but Vitest itself can only be imported. */
throw new Error(
  "ringback/vitest cannot be required, since Vitest cannot: import it, in a test that Vitest runs",
);

export {};
