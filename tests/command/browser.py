# SPDX-License-Identifier: Apache-2.0
"""browser.py: a page in a headless Chromium, asked by its own protocol for tools.

Chromium takes requests on file descriptor 3 and answers on 4 (--remote-debugging-pipe), as JSON
that ends with a zero byte. So nothing beside Python and Chromium is needed. What the page asks the
net for, what it says on its console and what it throws is kept.
"""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

CHROMIUM = shutil.which("chromium")


class Browser:
    def __init__(self, size=(1366, 768)):
        self.profile = tempfile.TemporaryDirectory()
        to_it, self.requests = os.pipe()
        self.answers, from_it = os.pipe()

        def pipes():  # in the child: the ends that it is to have become 3 and 4
            taken, given = os.dup(to_it), os.dup(from_it)
            os.dup2(taken, 3)
            os.dup2(given, 4)
        self.process = subprocess.Popen(
            [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-dev-shm-usage", "--disable-background-networking", "--hide-scrollbars",
             "--remote-debugging-pipe", f"--user-data-dir={self.profile.name}",
             f"--window-size={size[0]},{size[1]}", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=pipes, close_fds=False)
        os.close(to_it)
        os.close(from_it)
        self.number, self.rest, self.told = 0, b"", []
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target,
                                 flatten=True)["sessionId"]
        for domain in "Page", "Runtime", "Network", "Log":
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1],
                  deviceScaleFactor=1, mobile=False)

    def close(self):
        os.close(self.requests)  # Chromium ends when nobody can ask it any more
        try:
            self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.answers)
        self.profile.cleanup()

    def read(self, until):
        """The next message, or None if there is none until then."""
        while b"\0" not in self.rest:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.answers], [], [], left)[0]:
                return None
            more = os.read(self.answers, 1 << 20)
            if not more:
                raise RuntimeError("chromium has ended")
            self.rest += more
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, seconds=60, **parameters):
        self.number += 1
        asked = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            asked["sessionId"] = self.session
        os.write(self.requests, json.dumps(asked).encode() + b"\0")
        until = time.monotonic() + seconds
        while (message := self.read(until)) is not None:
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]
            self.told.append(message)
        raise RuntimeError(f"{method}: no answer in {seconds} s")

    def open(self, address, seconds=60):
        """Returns after the page's load event; how long that took, in seconds."""
        self.told.clear()
        begin = time.monotonic()
        self.call("Page.navigate", url=address)
        until = begin + seconds
        while not any(each.get("method") == "Page.loadEventFired" for each in self.told):
            message = self.read(until)
            if message is None:
                raise RuntimeError(f"the page did not load in {seconds} s")
            self.told.append(message)
        self.value("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
        return time.monotonic() - begin

    def value(self, expression):
        """Of an expression of JavaScript, or of its promise."""
        done = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                         awaitPromise=True)
        if "exceptionDetails" in done:
            raise RuntimeError(str(done["exceptionDetails"]))
        return done["result"].get("value")

    def place(self, selector, x=0.5, y=0.5):
        """A point of that element, which is scrolled to where it can be seen."""
        box = self.value(
            f"(e => {{ e.scrollIntoView({{block: 'center'}}); const b = e.getBoundingClientRect();"
            f" return [b.left, b.top, b.width, b.height]; }})"
            f"(document.querySelector({json.dumps(selector)}))")
        return box[0] + x * box[2], box[1] + y * box[3]

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, selector, x=0.5, y=0.5):
        at = self.place(selector, x, y)
        for kind in "mousePressed", "mouseReleased":
            self.mouse(kind, *at, button="left", clickCount=1)
        self.next_frame()

    def move(self, selector, x=0.5, y=0.5):
        self.mouse("mouseMoved", *self.place(selector, x, y))
        self.next_frame()

    def key(self, name, text=None):
        self.call("Input.dispatchKeyEvent", type="keyDown", key=name,
                  **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", key=name)
        self.next_frame()

    def next_frame(self):
        self.value("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")

    def picture(self, path):
        shown = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(shown["data"]))

    def theme(self, name):
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": name}])
        self.next_frame()

    def asked_for(self):
        """The addresses that the page has asked for, but for itself and what it holds."""
        self.value("0")  # so that what was told before is read
        return [each["params"]["request"]["url"] for each in self.told
                if each.get("method") == "Network.requestWillBeSent"
                and not each["params"]["request"]["url"].startswith(("data:", "blob:"))]

    def said(self):
        """What is on the console, what was thrown, and what Chromium complains of."""
        self.value("0")
        return [each for each in self.told
                if each.get("method") in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown",
                                          "Log.entryAdded")]
