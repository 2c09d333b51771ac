"""Logs each call that is over. Needs nothing but Python: SECRET=s3cret python3 call_log.py 8000"""

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
calls = []  # their ids


def now_ms():
    return datetime.fromisoformat(told["now"].replace("Z", "+00:00")).timestamp() * 1000 if told else time.time() * 1000


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # connections stay open, which saves time
    disable_nagle_algorithm = True

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.path == "/reset":  # before each world
            calls.clear()
            told["now"] = json.loads(body)["now"]
        elif self.path == "/hooks":
            if not self.is_genuine(body):
                return self.answer(401, {})
            self.receive(json.loads(body))
        elif self.path == "/calls":  # what --check callLog=/calls reads
            return self.answer(200, [{"callId": call} for call in calls])
        else:
            return self.answer(404, {"unknown": self.path})
        self.answer(200, {})

    def is_genuine(self, body):  # the body as it came, byte for byte
        timestamp = self.headers.get("x-service-timestamp", "0")
        own = hmac.new(SECRET, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
        is_signed = hmac.compare_digest(f"sha256={own}", self.headers.get("x-service-signature", ""))
        return is_signed and int(timestamp) >= now_ms() - 300_000

    def receive(self, event):
        if event["type"] not in ("call.not_answered", "call.ended"):
            return
        call = event["data"]["call"]["id"]
        if call not in calls:  # an event may be delivered more than once
            calls.append(call)

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
