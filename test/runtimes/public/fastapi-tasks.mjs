// What explores fastapi_tasks.py: FastAPI, and a worker as those of Celery, as two processes.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callLog, httpApp } from "ringback/explore";

let folder;
const children = [];

function start(role, defect) {
  const program = new URL("fastapi_tasks.py", import.meta.url).pathname;
  const python = process.env.PYTHON ?? "python3";
  const child = spawn(python, [program, role, join(folder, "tasks.db"), defect], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  return child;
}

async function explored(defect = "") {
  folder = mkdtempSync(join(tmpdir(), "fastapi-tasks-"));
  const [port] = await once(start("serve", defect).stdout, "data");
  start("work", defect);
  return {
    scenario: new URL("calls.yaml", import.meta.url).pathname,
    app: httpApp({ url: `http://127.0.0.1:${String(port).trim()}`, reset: "/reset", idle: "/idle" }),
    // a task that is tried again takes real time, in which no 429 passes
    deviations: {
      kinds: ["lost", "unanswered", "duplicated", "late", "503", "refused", "slow", "tokenExpired"],
    },
    ...callLog({ rows: (server) => server.read("/calls") }),
  };
}

export const program = {
  name: "FastAPI, worker in Python",
  needs: "fastapi",
  explored,
  end() {
    for (const child of children) child.kill();
    rmSync(folder, { recursive: true });
  },
  expected: {
    "adds a row for each delivery": "unanswered",
    "does a task once, whatever happens": "503",
  },
};
