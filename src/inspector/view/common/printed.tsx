/** A text as it was printed. The columns of a table stay in line: it scrolls sideways, where other text wraps. */
export function Printed({ children }: { children: string }) {
  return (
    <pre tabindex={0} class={isTable(children) ? "table" : undefined}>
      {children}
    </pre>
  );
}

/** Whether a line has three columns, with two or more spaces between them. */
const isTable = (text: string) => /\S {2,}\S.* {2,}\S/.test(text);
