/** `npm run pictures`: takes the pictures of the README anew. Look at them before you commit them. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch } from "./browser.ts";
import buildPage from "./build-page.ts";
import { capturePicture } from "./capture-picture.ts";
import { lessonPicture, picturePath, schemes, textPath } from "./lesson-picture.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
await buildPage();
const browser = await launch();
for (const scheme of schemes) {
  const { png, text } = await lessonPicture(browser, scheme);
  const path = join(root, picturePath(scheme));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, png);
  writeFileSync(join(root, textPath), text);
  process.stdout.write(`${picturePath(scheme)}: ${Math.round(png.length / 1024)} KiB\n`);
}
const capturePath = "docs/pictures/capture-light.png";
writeFileSync(join(root, capturePath), await capturePicture(browser));
process.stdout.write(`${capturePath}\n`);
await browser.close();
