"""Counts missed calls. Needs nothing but Python: python3 missed_calls.py 8000"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

seen = set()
missed = []


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.path == "/reset":  # before each world
            seen.clear()
            missed.clear()
        elif self.path == "/hooks":
            self.receive(json.loads(body))
        self.answer(200, {})

    def receive(self, event):
        if event["id"] in seen:  # an event may be delivered more than once
            return
        seen.add(event["id"])
        if event["type"] == "call.not_answered":
            missed.append(event["data"]["call"]["id"])

    def do_GET(self):  # a property: no call is counted twice
        twice = sorted(call for call in set(missed) if missed.count(call) > 1)
        self.answer(500 if twice else 200, {"counted twice": twice})

    def answer(self, status, body):
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
