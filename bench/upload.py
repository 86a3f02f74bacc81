#!/usr/bin/env python3
"""Upload and download of one large file by HTTPS at Zonda (XEP-0363), and at nginx with the same file.

    bench/upload.py [MIB] [ROUNDS]      1024 and 3 by default

Prints for each round and server the throughput, the CPU of its processes and, of Zonda, the most
resident memory. Both servers have the same certificate, TLS 1.3 with AES-128-GCM and HTTP/1.1, and keep
their files in one folder for temporary files, which needs room for three times the file. nginx takes
PUT by its WebDAV module. Needs curl, openssl and nginx.

Environment, with defaults: ZONDA=, the program, this tree's when empty; PORT=15222 HTTPS_PORT=15281
NGINX_PORT=15282.
"""

import contextlib
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time

from offline import Client

ROOT = pathlib.Path(__file__).resolve().parent.parent
TICK = os.sysconf("SC_CLK_TCK")
PORT, HTTPS_PORT, NGINX_PORT = (
    int(os.environ.get(name, default))
    for name, default in (("PORT", 15222), ("HTTPS_PORT", 15281), ("NGINX_PORT", 15282))
)
DOMAIN = "bench.test"

ZONDA_FILE = """\
hosts = ["{domain}"]
data = "{folder}/data"
[c2s]
listen = ["127.0.0.1:{port}"]
listen-tls = []
plaintext = "loopback"
[http]
listen = []
listen-tls = ["127.0.0.1:{https_port}"]
url = "https://localhost:{https_port}"
[tls]
certificate = "{folder}/tls.crt"
key = "{folder}/tls.key"
[services.uploads]
file-bytes = "64GiB"
account-bytes = "1024GiB"
day-bytes = "1024GiB"
"""

NGINX_FILE = """\
daemon off;
user {user};
pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
events {{}}
http {{
  access_log off;
  sendfile on;
  client_max_body_size 0;
  client_body_temp_path {folder}/nginx-bodies;
  server {{
    listen 127.0.0.1:{nginx_port} ssl;
    ssl_certificate {folder}/tls.crt;
    ssl_certificate_key {folder}/tls.key;
    ssl_protocols TLSv1.3;
    root {folder}/nginx;
    location / {{ dav_methods PUT; }}
  }}
}}
"""


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as file:
        return [int(child) for child in file.read().split()]


def cpu(pid):
    """User and system time of a process and its children, in seconds."""
    ticks = 0
    for each in [pid, *children(pid)]:
        with open(f"/proc/{each}/stat", encoding="utf-8") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / TICK


def resident(pid):
    """Resident memory in MiB."""
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        return int(re.search(r"VmRSS:\s*(\d+)", file.read()).group(1)) / 1024


class Peak(threading.Thread):
    """The most resident memory of a process until it is asked for."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.most, self.over = pid, resident(pid), threading.Event()
        self.start()

    def run(self):
        while not self.over.wait(0.02):
            self.most = max(self.most, resident(self.pid))

    def stop(self):
        self.over.set()
        self.join()
        return self.most


def curl(*arguments):
    """Seconds of one request."""
    command = ["curl", "-skf", "--http1.1", "--tls13-ciphers", "TLS_AES_128_GCM_SHA256", "-w", "%{time_total}"]
    done = subprocess.run([*command, *arguments], check=True, stdout=subprocess.PIPE)
    return float(done.stdout)


def slot(client, size, number):
    """The addresses for upload and download of a new file."""
    client.send(
        f"<iq type='get' id='s' to='upload.{DOMAIN}'><request xmlns='urn:xmpp:http:upload:0' "
        f"filename='file{number}' size='{size}'/></iq>"
    )
    while b"</iq>" not in client.heard:
        client.read()
    answer = client.heard.decode()
    client.heard = b""
    put, get = re.search(r"<put[^>]* url='([^']*)'", answer), re.search(r"<get[^>]* url='([^']*)'", answer)
    if not put or not get:
        raise SystemExit(f"no slot: {answer}")
    return put.group(1), get.group(1)


def measure(name, mib, pid, file, put, get):
    """Uploads and downloads the file once, and prints what it took."""
    before, peak = resident(pid), Peak(pid)
    start = cpu(pid)
    up = curl("-o", os.devnull, "-T", file, put)
    middle = cpu(pid)
    copy = f"{file}.copy"
    down = curl("-o", copy, get)
    end = cpu(pid)
    most = peak.stop()
    subprocess.run(["cmp", file, copy], check=True)
    os.remove(copy)
    with open("/proc/loadavg", encoding="utf-8") as load:
        average = load.read().split()[0]
    print(
        f"{name}: up {mib / up:.0f} MiB/s, {middle - start:.2f} s CPU; down {mib / down:.0f} MiB/s, "
        f"{end - middle:.2f} s CPU; resident {before:.0f} MiB, at most {most:.0f} (+{most - before:.0f}); load {average}",
        flush=True,
    )


def await_port(port, process):
    for _ in range(600):
        if process.poll() is not None:
            raise SystemExit("a server has ended")
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        time.sleep(0.1)
    raise SystemExit(f"nothing answers on port {port}")


def main():
    mib = int(sys.argv[1]) if len(sys.argv) > 1 else 1024
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    launcher = os.environ.get("ZONDA") or str(ROOT / "zonda")
    subprocess.run([launcher, "version"], check=True, stdout=sys.stderr)  # builds what has changed
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        os.chmod(folder, 0o755)
        values = {
            "domain": DOMAIN, "folder": folder, "port": PORT, "https_port": HTTPS_PORT, "nginx_port": NGINX_PORT,
            "user": "root" if os.geteuid() == 0 else os.environ.get("USER", "nobody"),
        }
        pathlib.Path(folder, "zonda.toml").write_text(ZONDA_FILE.format(**values), encoding="utf-8")
        pathlib.Path(folder, "nginx.conf").write_text(NGINX_FILE.format(**values), encoding="utf-8")
        pathlib.Path(folder, "password").write_text("secret\n", encoding="utf-8")
        os.mkdir(f"{folder}/nginx")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
             "2", "-subj", "/CN=localhost", "-keyout", f"{folder}/tls.key", "-out", f"{folder}/tls.crt"],
            check=True, stderr=subprocess.DEVNULL,
        )
        file = f"{folder}/file"
        with open(file, "wb") as target:
            for _ in range(mib):
                target.write(os.urandom(1 << 20))
        with open(f"{folder}/out", "wb") as log:
            subprocess.run(
                [launcher, "user", "add", "--config", f"{folder}/zonda.toml", "--password-file",
                 f"{folder}/password", f"romeo@{DOMAIN}"],
                check=True, stdout=log, stderr=log,
            )
            processes = [
                subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
                for command in (
                    [launcher, "start", "--config", f"{folder}/zonda.toml"],
                    ["nginx", "-c", f"{folder}/nginx.conf", "-p", folder],
                )
            ]
            for process in processes:
                stack.callback(process.wait)
                stack.callback(process.terminate)
            await_port(HTTPS_PORT, processes[0])
            await_port(NGINX_PORT, processes[1])
            for number in range(rounds):
                client = Client(PORT, DOMAIN, "romeo")
                put, get = slot(client, mib << 20, number)
                client.socket.close()
                measure(f"round {number + 1}, zonda", mib, processes[0].pid, file, put, get)
                url = f"https://localhost:{NGINX_PORT}/file{number}"
                measure(f"round {number + 1}, nginx", mib, processes[1].pid, file, url, url)
                os.remove(f"{folder}/nginx/file{number}")


if __name__ == "__main__":
    main()
