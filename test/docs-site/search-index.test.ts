import { expect, test } from "vitest";
import { find, readIndex } from "../../docs/site/search.ts";
import { searchIndex } from "../../docs/site/search-index.ts";

test("A snippet of the search has signs as the page shows them, however its HTML writes them", () => {
  const page = { source: "docs/rest.md", path: "rest.html", title: "REST", text: "" };
  const html =
    '<h1 id="rest">REST</h1><p>Wallboards read &#34;status&#34;, &quot;line&quot; &#x26; &#39;team&#39;; &amp;#34; is text, &lt;b&gt; too.</p>';
  const { best } = find(readIndex(searchIndex([page], new Map([[page.path, html]]))), "wallboards");
  const shown = best?.snippet.map(({ text }) => text).join("");
  expect(shown).toBe(`Wallboards read "status", "line" & 'team'; &#34; is text, <b> too.`);
});
