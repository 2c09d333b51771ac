"""Counts missed calls. Needs nothing but Python: python3 missed_calls.py 8000"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

seen = set()
missed = []


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # connections stay open, which saves time
    disable_nagle_algorithm = True

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))))
        if self.path == "/reset":  # before each world
            seen.clear()
            missed.clear()
        elif self.path == "/hooks":
            self.receive(body)
        elif self.path == "/missed":  # a property
            return self.compare(body)
        else:
            return self.answer(404, {"unknown": self.path})
        self.answer(200, {})

    def receive(self, event):
        if event["id"] in seen:  # an event may be delivered more than once
            return
        seen.add(event["id"])
        if event["type"] == "call.not_answered":
            missed.append(event["data"]["call"]["id"])

    def compare(self, truth):  # with the platform's own records
        expected = truth["totals"]["events"].get("call.not_answered", 0)
        self.answer(200 if len(missed) == expected else 500, {"counted": len(missed), "expected": expected})

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
