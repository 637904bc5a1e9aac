# SPDX-License-Identifier: Apache-2.0
"""rig.py: hosts on one machine: network namespaces with an sshd in each, around a router.

    with Rig("abcd", rate="100mbit", loss=0.01) as rig:
        done = rig.execute("terrane", "doctor", "--hosts", "a,b,c,d")

Each host, and `home`, from which runs are started, has a network, a name and an /etc/hosts of its
own. Packets between two of them go through the router's namespace, where they can be delayed, lost,
refused or redirected to a proxy. All names carry this process's number, so that rigs do not disturb
each other; nothing is left behind, and what a rig that was killed left behind is taken away by the
next one. It takes root.
"""

import collections
import contextlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

Done = collections.namedtuple("Done", "code out err")

NEEDED = {"ip": "iproute2", "tc": "iproute2", "iptables": "iptables", "/usr/sbin/sshd":
          "openssh-server", "ssh": "openssh-client", "ssh-keygen": "openssh-client",
          "unshare": "util-linux"}
PREFIX = "terrane-"


def why_not():
    """Why no rig can be built here; empty if one can."""
    if os.geteuid() != 0:
        return "network namespaces take root"
    for needed, package in NEEDED.items():
        if not shutil.which(needed):
            return f"{needed} is missing: apt-get install {package}"
    name = f"{PREFIX}{os.getpid()}-try"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True, check=False)
    if made.returncode != 0:
        return f"there are no network namespaces here: {made.stderr.strip()}"
    command(["ip", "netns", "del", name])
    return ""


def command(words):
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


def is_alive(process):
    return pathlib.Path(f"/proc/{process}").exists()


def remove_namespace(name):
    for process in command(["ip", "netns", "pids", name]).split():
        try:
            os.kill(int(process), signal.SIGKILL)
        except ProcessLookupError:
            pass
    subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)
    shutil.rmtree(f"/etc/netns/{name}", ignore_errors=True)


def remove_stale():
    """What rigs left behind whose process is gone."""
    for line in command(["ip", "netns", "list"]).splitlines():
        name = line.split()[0]
        made = re.match(PREFIX + r"(\d+)-", name)
        if made and not is_alive(int(made[1])):
            remove_namespace(name)


class Rig:
    def __init__(self, names, rate=None, loss=0.0, daemons=True):
        """daemons: whether a host has an sshd, or is reached by shell_launcher() alone."""
        self.names = ["home", *names]
        self.rate = rate
        self.loss = loss
        self.with_daemons = daemons
        self.daemons = {}
        self.made = []
        self.made_run_sshd = False

    # --- building ---

    def space(self, name):
        return f"{PREFIX}{os.getpid()}-{name}"

    def address(self, name):
        return f"10.77.{self.names.index(name)}.2"

    def inside(self, name, *words):
        """A command inside a namespace."""
        return ["ip", "netns", "exec", self.space(name), *words]

    def as_host(self, name, *words):
        """The same, under the host's name."""
        script = f'hostname {name}; exec "$@"'
        return self.inside(name, "unshare", "--uts", "sh", "-c", script, "sh", *words)

    def __enter__(self):
        remove_stale()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="terrane-rig-"))
        try:
            self.build()
        except BaseException:
            self.__exit__()
            raise
        return self

    def build(self):
        for name in ["router", *self.names]:
            command(["ip", "netns", "add", self.space(name)])
            self.made.append(name)
            command(self.inside(name, "ip", "link", "set", "lo", "up"))
        command(self.inside("router", "sysctl", "-qw", "net.ipv4.ip_forward=1"))
        for number, name in enumerate(self.names):
            self.connect(number, name)
            self.write_hosts(name)
        for name in self.names:
            self.wait_for("state UP", name, "ip", "-o", "link", "show", "eth0")
        if self.loss:
            self.router("iptables", "-A", "FORWARD", "-p", "tcp", "!", "--dport", "22", "-m",
                        "statistic", "--mode", "random", "--probability", str(self.loss), "-j",
                        "DROP")
        if self.with_daemons and len(self.names) > 1:
            self.start_daemons()

    def connect(self, number, name):
        command(["ip", "link", "add", "eth0", "netns", self.space(name), "type", "veth", "peer",
                 "name", f"to-{name}", "netns", self.space("router")])
        net = f"10.77.{number}"
        command(self.inside("router", "ip", "address", "add", f"{net}.1/24", "dev", f"to-{name}"))
        command(self.inside("router", "ip", "link", "set", f"to-{name}", "up"))
        command(self.inside(name, "ip", "address", "add", f"{net}.2/24", "dev", "eth0"))
        command(self.inside(name, "ip", "link", "set", "eth0", "up"))
        command(self.inside(name, "ip", "route", "add", "default", "via", f"{net}.1"))
        if self.rate:
            for space, device in ((name, "eth0"), ("router", f"to-{name}")):
                command(self.inside(space, "tc", "qdisc", "add", "dev", device, "root", "tbf",
                                    "rate", self.rate, "burst", "32kb", "latency", "50ms"))

    def write_hosts(self, name, **instead):
        """/etc/hosts as that host sees it. instead: other addresses for some names."""
        folder = pathlib.Path("/etc/netns", self.space(name))
        folder.mkdir(parents=True, exist_ok=True)
        lines = ["127.0.0.1 localhost"]
        lines += [f"{instead.get(each, self.address(each))} {each}" for each in self.names]
        # Written in place: namespaces that exist have the file mounted.
        (folder / "hosts").write_text("\n".join(lines) + "\n")

    def start_daemons(self):
        run = pathlib.Path("/run/sshd")
        self.made_run_sshd = not run.exists()
        run.mkdir(mode=0o755, exist_ok=True)
        for key in ("host", "user"):
            command(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(self.folder / key)])
        shutil.copy(self.folder / "user.pub", self.folder / "authorized")
        host_key = (self.folder / "host.pub").read_text().split()[:2]
        (self.folder / "known").write_text("* " + " ".join(host_key) + "\n")
        (self.folder / "ssh_config").write_text(
            f"Host *\n  IdentityFile {self.folder}/user\n  IdentitiesOnly yes\n"
            f"  UserKnownHostsFile {self.folder}/known\n  StrictHostKeyChecking yes\n")
        # So that `ssh`, as a user would call it, is the rig's.
        wrapper = self.folder / "bin" / "ssh"
        wrapper.parent.mkdir()
        ssh = shutil.which("ssh")
        wrapper.write_text(f'#!/bin/sh\nexec {ssh} -F {self.folder}/ssh_config "$@"\n')
        wrapper.chmod(0o755)
        for name in self.names[1:]:
            self.start_daemon(name)
        for name in self.names[1:]:
            self.wait_for(":22 ", name, "ss", "-Hltn")

    def start_daemon(self, name):
        config = self.folder / f"sshd-{name}"
        config.write_text(
            f"ListenAddress {self.address(name)}:22\nHostKey {self.folder}/host\n"
            f"AuthorizedKeysFile {self.folder}/authorized\nPidFile none\nStrictModes no\n"
            "PermitRootLogin prohibit-password\nPasswordAuthentication no\nUsePAM no\n"
            "MaxStartups 100\nMaxSessions 100\n")
        with open(self.folder / f"sshd-{name}.log", "wb") as log:
            self.daemons[name] = subprocess.Popen(
                self.as_host(name, "/usr/sbin/sshd", "-D", "-e", "-f", str(config)),
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def wait_for(self, text, name, *words):
        """Until a command inside a namespace prints that."""
        for _ in range(500):
            if text in command(self.inside(name, *words)):
                return
            time.sleep(0.02)
        raise RuntimeError(f"{name}: {' '.join(words)} never printed {text}")

    def __exit__(self, *_):
        for name in self.made:
            remove_namespace(self.space(name))
        for each in self.daemons.values():
            each.kill()
            each.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
        for folder, ours in (("/run/sshd", self.made_run_sshd), ("/etc/netns", True)):
            try:
                if ours:
                    os.rmdir(folder)
            except OSError:
                pass  # others use it

    # --- using ---

    def shell_launcher(self):
        """For --launcher: a shell in the host's namespace."""
        return f"ip netns exec {self.space('{host}')} sh -c {{command}}"

    def environment(self, variables=None):
        clean = {name: value for name, value in os.environ.items() if name != "TERRANE_OPTIONS"}
        return {**clean, "PATH": f"{self.folder}/bin:{clean['PATH']}", **(variables or {})}

    def start(self, *words, at="home", variables=None, **how):
        """Starts a program on a host."""
        return subprocess.Popen(self.as_host(at, *map(str, words)), stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env=self.environment(variables), **how)

    def execute(self, *words, at="home", timeout=60, variables=None):
        """Runs a program on a host to its end."""
        started = self.start(*words, at=at, variables=variables)
        try:
            out, err = started.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            started.kill()
            out, err = started.communicate()
            return Done(None, os.fsdecode(out), os.fsdecode(err))
        return Done(started.returncode, os.fsdecode(out), os.fsdecode(err))

    @contextlib.contextmanager
    def in_place_of(self, path, text, at):
        """On that host, and nowhere else, the file is another while this lasts."""
        other = self.folder / f"in-place-{at}"
        other.write_bytes(text if isinstance(text, bytes) else text.encode())
        other.chmod(0o755)
        mounts = ["nsenter", "-t", str(self.daemons[at].pid), "-m"]
        command([*mounts, "mount", "--bind", str(other), str(path)])
        try:
            yield
        finally:
            command([*mounts, "umount", "-l", str(path)])

    @contextlib.contextmanager
    def rule(self, *words):
        """While this lasts, the router treats packets so."""
        self.router("iptables", "-I", "FORWARD", *words)
        try:
            yield
        finally:
            self.router("iptables", "-D", "FORWARD", *words)

    def router(self, *words):
        """Runs a command in the router's namespace."""
        return command(self.inside("router", *words))

    def processes(self, name, like):
        """The processes of a host whose command matches."""
        found = []
        for process in map(int, command(["ip", "netns", "pids", self.space(name)]).split()):
            try:
                words = pathlib.Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ")
                state = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1][1]
            except OSError:
                continue
            if state not in "ZX" and re.search(like, os.fsdecode(words)):
                found.append(process)
        return found
