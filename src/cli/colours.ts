import { styleText } from "node:util";

type Format = Parameters<typeof styleText>[0];

/**
 * The colours of what a command prints.
 * @param isColoured whether there are any; `processOutput` asks the terminal and the environment
 */
export function coloursIf(isColoured: boolean) {
  const style = (format: Format) => (text: string) =>
    // without this option, Node would ask the standard output again
    isColoured ? styleText(format, text, { validateStream: false }) : text;
  return {
    bold: style("bold"),
    dim: style("dim"),
    red: style("red"),
    green: style("green"),
    cyan: style("cyan"),
  };
}
