/** The parts of Eleventy that are used. It has no types of its own. */
declare module "@11ty/eleventy" {
  import type MarkdownIt from "markdown-it";

  export interface EleventyConfig {
    addTemplate(path: string, text: string, data?: object): void;
    addGlobalData(name: string, value: unknown): void;
    setLibrary(language: "md", library: MarkdownIt): void;
    setUseGitIgnore(isUsed: boolean): void;
  }

  export default class Eleventy {
    constructor(
      input: string,
      output: string,
      options: { quietMode: boolean; configPath: false; config(config: EleventyConfig): void },
    );
    disableLogger(): void;
    write(): Promise<unknown>;
  }
}
