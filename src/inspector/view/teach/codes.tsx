import { useState } from "preact/hooks";
import { classCsv, readClassResults } from "../../lesson-code.ts";
import { counted } from "../common/format.ts";
import { download } from "../playground/download.ts";

/** What a class handed in, as a table and as CSV. Nothing leaves the page. */
export function Codes() {
  const [text, setText] = useState("");
  const results = readClassResults(text);
  const { lines, problems } = results;
  const most = Math.max(0, ...lines.map(({ tries }) => tries.length));
  const places = Array.from({ length: most }, (_, place) => place);
  return (
    <main class="class-codes">
      <h1>Codes of a class</h1>
      <label for="codes">
        Paste the codes, one a line. A name may stand before each: <kbd>Aroha YGM8-21-G</kbd>
      </label>
      <textarea
        id="codes"
        rows={8}
        spellcheck={false}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <div role="status">
        {problems.map(({ line, text: given }) => (
          <p class="bad" key={line}>
            Line {line} has no code, or a slip in it: {given}
          </p>
        ))}
      </div>
      {lines.length > 0 && (
        <>
          <table>
            <caption>
              {counted(lines.length, "code")}. A number is the try at which the answer was right.
            </caption>
            <thead>
              <tr>
                <th>Name</th>
                <th>Lesson</th>
                {places.map((place) => (
                  <th key={place}>Question {place + 1}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {lines.map(({ name, lesson, tries }, index) => (
                <tr key={index}>
                  <th>{name}</th>
                  <td>{lesson}</td>
                  {places.map((place) => (
                    <td key={place}>{tries[place] === 0 ? "shown" : tries[place]}</td>
                  ))}
                </tr>
              ))}
              <tr>
                <th>Right at once</th>
                <td />
                {places.map((place) => (
                  <td key={place}>
                    {lines.filter(({ tries }) => tries[place] === 1).length} of{" "}
                    {lines.filter(({ tries }) => tries[place] !== undefined).length}
                  </td>
                ))}
              </tr>
            </tbody>
          </table>
          <button
            type="button"
            class="button primary"
            onClick={() => download("codes.csv", classCsv(results))}
          >
            Save as CSV
          </button>
        </>
      )}
    </main>
  );
}
