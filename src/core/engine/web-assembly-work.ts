import { ownGlobal } from "../foundation/real-functions.ts";

import { replaceWhileFollowed } from "./call-before.ts";

type Compile = (this: unknown, ...given: unknown[]) => Promise<unknown>;

/** What compiles in V8's own threads, of which no hook tells. Node's `fetch` compiles its parser when it is first used. */
const names = ["compile", "instantiate"] as const;

let isWrapped = false;

/**
 * Follows the compilation of WebAssembly.
 * @param begin called when one begins; returns what to call when it ends
 */
export function wrapWebAssembly(begin: () => () => void): void {
  if (isWrapped) return;
  isWrapped = true;
  // Jest's tests have one of their own, and `fetch` has Node's
  const { WebAssembly: own } = globalThis as { WebAssembly?: object };
  for (const each of new Set([own, ownGlobal<object>("WebAssembly")]))
    if (each !== undefined) wrap(each, begin);
}

function wrap(assembly: object, begin: () => () => void): void {
  for (const name of names)
    replaceWhileFollowed<Compile>(assembly, name, (compile) => {
      const following: Compile = function (...given) {
        const end = begin();
        return compile.apply(this, given).finally(end);
      };
      return following;
    });
}
