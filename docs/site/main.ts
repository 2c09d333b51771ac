/** `npm run docs`: writes the documentation site into `site/`; open `site/index.html`. */
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildSite } from "./site.ts";

const output = fileURLToPath(new URL("../../site/", import.meta.url));
rmSync(output, { recursive: true, force: true });
const pages = await buildSite(output);
process.stdout.write(`site/index.html: ${pages.length} pages\n`);
