#!/usr/bin/env python3
"""CPU and context switches of the threads of processes, grouped by name, for some seconds.

    bench/threads.py SECONDS PID...

Numbers in a thread's name are left out. CPU is in ms for each second of all processes together, switches
are for each second: those that a thread asked for (it had nothing to do) and those that it did not.
"""

import collections
import os
import re
import sys
import time

TICK = os.sysconf("SC_CLK_TCK")


def read(pids):
    threads = {}
    for pid in pids:
        folder = f"/proc/{pid}/task"
        for task in os.listdir(folder):
            try:
                with open(f"{folder}/{task}/stat", encoding="utf-8") as file:
                    name, rest = file.read().rsplit(")", 1)
                with open(f"{folder}/{task}/status", encoding="utf-8") as file:
                    status = file.read()
            except FileNotFoundError:
                continue  # it has ended
            fields = rest.split()
            own, forced = (
                int(re.search(rf"^{key}:\s*(\d+)", status, re.M).group(1))
                for key in ("voluntary_ctxt_switches", "nonvoluntary_ctxt_switches")
            )
            threads[pid, task] = (
                re.sub(r"\d+", "N", name.split("(", 1)[1]),
                [int(fields[11]) / TICK, int(fields[12]) / TICK, own, forced],
            )
    return threads


def main():
    seconds, pids = float(sys.argv[1]), sys.argv[2:]
    before, begun = read(pids), time.monotonic()
    time.sleep(seconds)
    after, passed = read(pids), time.monotonic() - begun
    groups = collections.defaultdict(lambda: [0.0] * 4)
    for key, (name, values) in after.items():
        earlier = before.get(key, (name, [0.0] * 4))[1]
        groups[name] = [sum(each) for each in zip(groups[name], [v - e for v, e in zip(values, earlier)])]
    groups["all"] = [sum(each) for each in zip(*groups.values())]
    print(f"{'thread':<18}{'user':>8}{'system':>8}{'own':>9}{'forced':>8}")
    for name, (user, system, own, forced) in sorted(groups.items(), key=lambda item: -item[1][0] - item[1][1]):
        if user + system > 0.005 * passed or own > 100 * passed:
            print(
                f"{name:<18}{1000 * user / passed:>8.1f}{1000 * system / passed:>8.1f}"
                f"{own / passed:>9.0f}{forced / passed:>8.0f}"
            )


main()
