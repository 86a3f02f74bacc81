#!/usr/bin/env python3
"""The pages of the admin console of a running server: time, size and the server's CPU.

    bench/console.py PROGRAM CONFIG ADDRESS PID

PROGRAM is the launcher, CONFIG the server's file, ADDRESS that of its console (host:port), PID its process. Each page
that the rail and the search lead to is read ten times. Then BROWSERS (10) follow the overview for SECONDS (60), and
the CPU of the process is compared with that of as long a time before.
"""

import http.client
import os
import re
import subprocess
import sys
import threading
import time

PROGRAM, CONFIG, ADDRESS, PID = sys.argv[1:5]
ROUNDS = int(os.environ.get("ROUNDS", "10"))
BROWSERS = int(os.environ.get("BROWSERS", "10"))
SECONDS = int(os.environ.get("SECONDS", "60"))
TICK = os.sysconf("SC_CLK_TCK")


def cpu():
    with open(f"/proc/{PID}/stat", encoding="ascii") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


class Browser:
    """Keeps one connection and the cookies."""

    def __init__(self):
        self.connection = http.client.HTTPConnection(ADDRESS, timeout=60)
        self.cookies = {}

    def request(self, path, form=None):
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        body = None
        if form is not None:
            body = "&".join(f"{name}={value}" for name, value in form.items())
            headers |= {
                "Content-Type": "application/x-www-form-urlencoded",
                "Origin": f"http://{ADDRESS}",
                "Sec-Fetch-Site": "same-origin",
            }
        self.connection.request("GET" if body is None else "POST", path, body, headers)
        response = self.connection.getresponse()
        for name, value in response.getheaders():
            if name.lower() == "set-cookie":
                cookie, rest = value.split(";", 1)[0].split("=", 1)
                self.cookies[cookie] = rest
        return response

    def page(self, path):
        response = self.request(path)
        text = response.read().decode()
        return response.status, text

    def sign_in(self):
        link = subprocess.run(
            [PROGRAM, "admin", "link", "--config", CONFIG], capture_output=True, text=True, check=True
        ).stdout
        code = re.search(r"#([A-Za-z0-9_-]+)", link).group(1)
        _, page = self.page("/admin/link")
        token = re.search(r'name="token" value="([0-9a-f]+)"', page).group(1)
        response = self.request("/admin/link", {"token": token, "code": code})
        response.read()
        if response.status != 303:
            sys.exit(f"the link was answered with {response.status}")


def follow(browser, path, until):
    response = browser.request(path)
    size = 0
    while time.monotonic() < until:
        data = response.read1(65536)
        if not data:
            sys.exit("the stream has ended")
        size += len(data)
    return size


def main():
    browser = Browser()
    browser.sign_in()
    _, overview = browser.page("/admin/")
    rail = overview[overview.index('class="rail"') :]
    pages = ["/admin/"]
    for path in re.findall(r'href="(/admin/[^"#]*)"', rail[: rail.index("</nav>")]):
        if path not in pages:
            pages.append(path)
    pages += sys.argv[5:]
    slowest = (0.0, "")
    for path in pages:
        path = path.replace("&amp;", "&")
        times = []
        before = cpu()
        for _ in range(ROUNDS):
            begin = time.monotonic()
            status, text = browser.page(path)
            times.append((time.monotonic() - begin) * 1000)
            if status != 200:
                print(f"{path}: {status}")
                break
        used = (cpu() - before) * 1000 / ROUNDS
        times.sort()
        median = times[len(times) // 2]
        slowest = max(slowest, (median, path))
        print(f"{path}: median {median:.1f} ms, slowest {times[-1]:.1f}, CPU {used:.0f} ms, {len(text)} characters")
    print(f"the slowest: {slowest[1]} with {slowest[0]:.1f} ms")
    stream = re.search(r'data-stream="([^"]+)"', overview).group(1).replace("&amp;", "&")
    quiet = cpu()
    time.sleep(SECONDS)
    quiet = cpu() - quiet
    until = time.monotonic() + SECONDS
    threads = []
    watched = cpu()
    for _ in range(BROWSERS):
        other = Browser()
        other.cookies = dict(browser.cookies)
        threads.append(threading.Thread(target=follow, args=(other, stream, until)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    watched = cpu() - watched
    print(
        f"{BROWSERS} browsers with the overview for {SECONDS} s: {watched:.2f} s of CPU, {quiet:.2f} s without: "
        f"{(watched - quiet) / SECONDS * 100:.2f} % of a core"
    )


main()
