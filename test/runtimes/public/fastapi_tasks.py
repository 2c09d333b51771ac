"""A call log: FastAPI takes the webhook, and a worker in a process of its own does its tasks, as Celery's do.

python3 fastapi_tasks.py serve FILE DEFECT, and python3 fastapi_tasks.py work FILE DEFECT; SQLite stands for the broker and the result.
"""

import json
import sqlite3
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

ROLE, FILE, DEFECT = sys.argv[1:4]


def database():
    connection = sqlite3.connect(FILE, timeout=30, isolation_level=None)
    connection.execute("pragma journal_mode = wal")
    return connection


SCHEMA = """
drop table if exists world; drop table if exists tasks; drop table if exists calls;
create table world (told text);
create table tasks (id integer primary key, call text, is_running integer default 0);
create table calls (id text %s, answered integer, seconds integer);
"""


def serve():
    import uvicorn
    from fastapi import FastAPI, Request, Response

    app = FastAPI()
    db = database()

    @app.post("/reset")
    async def reset(request: Request):
        told = (await request.body()).decode()
        db.executescript(SCHEMA % ("" if DEFECT == "adds a row for each delivery" else "primary key"))
        db.execute("insert into world values (?)", [told])

    @app.get("/idle")
    async def idle():
        """Busy as long as there are tasks: the worker waits for the platform in one that runs."""
        tasks, running = db.execute("select count(*), coalesce(sum(is_running), 0) from tasks").fetchone()
        return Response(json.dumps({"waiting": running}), 200 if tasks == running else 503)

    @app.post("/hooks", status_code=204)
    async def hooks(request: Request):
        call = (await request.json())["data"]["call"]["id"]
        db.execute("insert into tasks (call) values (?)", [call])

    @app.post("/calls")
    async def calls():
        rows = db.execute("select id, answered, seconds from calls order by id").fetchall()
        return [{"callId": id, "answered": bool(answered), "seconds": seconds} for id, answered, seconds in rows]

    config = uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error")
    listener = config.bind_socket()
    print(listener.getsockname()[1], flush=True)
    uvicorn.Server(config).run([listener])


def ask(url, data=None, headers={}):
    with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=30) as answer:
        return json.load(answer)


def store(db, call):
    """The task: asks the platform for the call, and keeps it."""
    told = json.loads(db.execute("select told from world").fetchone()[0])
    form = {"client_id": told["clientId"], "client_secret": told["clientSecret"], "grant_type": "client_credentials"}
    token = ask(told["api"] + "/oauth/token", urllib.parse.urlencode(form).encode())["access_token"]
    found = ask(f"{told['api']}/calls/{call}", None, {"authorization": f"Bearer {token}"})
    row = [call, found["answeredAt"] is not None, round(found["duration"] / 1000)]
    db.execute("insert or ignore into calls values (?, ?, ?)", row)


def work():
    db = database()
    while True:
        try:
            task = db.execute("select id, call from tasks order by id limit 1").fetchone()
        except sqlite3.OperationalError:  # before the first reset
            task = None
        if task is None:
            time.sleep(0.005)
            continue
        db.execute("update tasks set is_running = 1 where id = ?", [task[0]])
        try:
            store(db, task[1])
        except (urllib.error.URLError, ConnectionError):
            if DEFECT != "does a task once, whatever happens":
                db.execute("update tasks set is_running = 0 where id = ?", [task[0]])
                continue  # again
        db.execute("delete from tasks where id = ?", [task[0]])


serve() if ROLE == "serve" else work()
