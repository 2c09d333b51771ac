"""Counts missed calls. Needs nothing but Python: SECRET=s3cret python3 missed_calls.py 8000"""

import hashlib
import hmac
import json
import os
import sys
import time
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ.get("SECRET", "s3cret").encode()  # the webhook's signing secret
told = {}  # the time that /reset says
seen = set()
missed = []


def now_ms():
    return datetime.fromisoformat(told["now"].replace("Z", "+00:00")).timestamp() * 1000 if told else time.time() * 1000


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # connections stay open, which saves time
    disable_nagle_algorithm = True

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.path == "/reset":  # before each world
            seen.clear()
            missed.clear()
            told["now"] = json.loads(body)["now"]
        elif self.path == "/hooks":
            if not self.is_genuine(body):
                return self.answer(401, {})
            self.receive(json.loads(body))
        elif self.path == "/missed":  # a property
            return self.compare(json.loads(body))
        else:
            return self.answer(404, {"unknown": self.path})
        self.answer(200, {})

    def is_genuine(self, body):  # the body as it came, byte for byte
        timestamp = self.headers.get("x-service-timestamp", "0")
        own = hmac.new(SECRET, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
        is_signed = hmac.compare_digest(f"sha256={own}", self.headers.get("x-service-signature", ""))
        return is_signed and int(timestamp) >= now_ms() - 300_000

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
