import type MarkdownIt from "markdown-it";
import { nextOf } from "../../generate/lessons.ts";
import { chapterAnchor, chapters } from "../../learn/chapters.ts";
import type { Lesson } from "../../learn/lessons.ts";
import type { SidebarGroup } from "../sidebar.ts";
import { courseHtml } from "./course-page.ts";
import { lessonHtml } from "./lesson-page.ts";

/** The pages of the course, by their paths, which have more than their Markdown. */
export function coursePages(lessons: readonly Lesson[], md: MarkdownIt): Map<string, string> {
  return new Map([
    ["lessons/index.html", courseHtml(lessons)],
    ...lessons.map(
      (lesson) => [`lessons/${lesson.number}.html`, lessonHtml(lesson, nextOf(lesson, lessons), md)] as const,
    ),
  ]);
}

/** The link to a lesson's chapter in the list of pages, by the path of the lesson's page. */
export function chapterLinks(lessons: readonly Lesson[]): Map<string, string> {
  return new Map(
    lessons.map(({ number, chapter }) => [
      `lessons/${number}.html`,
      `lessons/index.html#${chapterAnchor(chapter)}`,
    ]),
  );
}

const link = (title: string, path: string) => ({ title, path, source: "", text: "" });

/** What stands beside the pages of the course instead of all pages. */
export const courseGroups: readonly SidebarGroup[] = [
  {
    section: "learn",
    title: "Course",
    pages: chapters.map((chapter, index) =>
      link(`${index + 1} ${chapter.title}`, `lessons/index.html#${chapterAnchor(chapter)}`),
    ),
    isLong: false,
  },
  {
    section: "learn",
    title: "Then",
    pages: [link("Challenges", "challenges/index.html")],
    isLong: false,
  },
  {
    section: "learn",
    title: "Beside it",
    pages: [link("Glossary", "glossary.html"), link("Scenario files", "scenarios.html")],
    isLong: false,
  },
  {
    section: "learn",
    title: "With a class",
    pages: [
      link("Teach a call flow", "guides/teach-a-call-flow.html"),
      link("Prepare a lesson", "guides/prepare-a-lesson.html"),
    ],
    isLong: false,
  },
];
