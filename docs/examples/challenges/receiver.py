"""An app as a server. Start it: python3 receiver.py 8000
Judge it: npx ringback challenge 1 --server http://127.0.0.1:8000"""

import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlencode
from urllib.request import Request, urlopen

told = {}  # what /reset says: the time, and where the REST API is
shown = {"log": [], "numbers": [], "board": {}}  # each challenge reads one of these


def reset():
    """Forgets everything."""
    shown.update(log=[], numbers=[], board={})


def receive(body, headers):
    """Handles a request of the platform. Returns the status to answer."""
    event = json.loads(body)
    if event["type"] == "call.ended":
        pass  # your code, such as: shown["log"].append({"callId": event["data"]["call"]["id"]})
    return 204


def ask(path):
    """What the platform's REST API answers, such as ask("/users")."""
    form = {"grant_type": "client_credentials", "client_id": told["clientId"], "client_secret": told["clientSecret"]}
    with urlopen(told["api"] + "/oauth/token", urlencode(form).encode()) as answer:
        token = json.load(answer)["access_token"]
    with urlopen(Request(told["api"] + path, headers={"authorization": f"Bearer {token}"})) as answer:
        return json.load(answer)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # connections stay open, which saves time
    disable_nagle_algorithm = True

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        path = self.path.strip("/")
        if path == "hooks":
            self.answer(receive(body, self.headers))
        elif path == "reset":  # before each world
            told.update(json.loads(body))
            reset()
            self.answer(204)
        elif path in shown:
            self.answer(200, shown[path])
        else:
            self.answer(404)

    def do_GET(self):
        self.answer(404)

    def answer(self, status, body=None):
        text = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    with open("receiver.pid", "w") as file:  # challenge 6 restarts it by this
        file.write(str(os.getpid()))
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
