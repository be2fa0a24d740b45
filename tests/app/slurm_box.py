"""A Slurm of one node on 127.0.0.1, with folders, keys and ports of its own, started and stopped by a test."""
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

from cli_box import Skip

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "sinfo")
CONFIGURATION = """
ClusterName=tomoloom
SlurmctldHost=localhost(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={controller}
SlurmdPort={node}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_interval=1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
ReturnToService=2
MinJobAge=3600
NodeName=localhost NodeHostname=localhost NodeAddr=127.0.0.1 CPUs={cores} RealMemory=4000 State=UNKNOWN
PartitionName=all Nodes=localhost Default=YES MaxTime=INFINITE State=UP
"""


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Slurm:
    """Use as a context; `environment` is what commands need to find it. Raises Skip where it cannot start."""

    def __init__(self, folder):
        # Sockets have short names only.
        self.folder = pathlib.Path(folder)
        self.environment = {**os.environ, "SLURM_CONF": str(self.folder / "slurm.conf")}

    def __enter__(self):
        missing = [p for p in PROGRAMS if shutil.which(p, path=self.path()) is None]
        if missing:
            raise Skip(f"{', '.join(missing)} not installed (Debian: slurmctld slurmd slurm-client munge)")
        if os.geteuid() != 0:
            raise Skip("slurmd has to be started by root")
        for name in ("state", "spool"):
            (self.folder / name).mkdir(parents=True)
        (self.folder / "munge.key").write_bytes(os.urandom(1024))
        (self.folder / "munge.key").chmod(0o400)
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(folder=self.folder, user="root", controller=free_port(),
                                                                     node=free_port(), cores=os.cpu_count()))
        f = self.folder
        try:
            self.start("munged", "--force", f"--key-file={f}/munge.key", f"--socket={f}/munge.socket", f"--pid-file={f}/munged.pid",
                       f"--log-file={f}/munged.log", f"--seed-file={f}/munge.seed", "--origin=127.0.0.1")
            self.start("slurmctld", "-f", f"{f}/slurm.conf")
            self.start("slurmd", "-f", f"{f}/slurm.conf", "-N", "localhost")
            self.wait_for_node()
        except (Skip, subprocess.SubprocessError, OSError):
            self.stop()
            raise
        return self

    def __exit__(self, *reason):
        self.stop()

    @staticmethod
    def path():
        return os.environ.get("PATH", "") + ":/usr/sbin:/sbin"

    def start(self, program, *arguments):
        result = subprocess.run([shutil.which(program, path=self.path()), *arguments], env=self.environment, capture_output=True, text=True,
                                timeout=60)
        if result.returncode != 0:
            raise Skip(f"{program} does not start here: {result.stderr.strip()}")

    def wait_for_node(self):
        for _ in range(600):
            state = subprocess.run(["sinfo", "--noheader", "--format=%T"], env=self.environment, capture_output=True, text=True).stdout
            if state.strip() == "idle":
                return
            time.sleep(0.2)
        raise Skip("the node of Slurm does not become idle")

    def stop(self):
        for program in ("slurmd", "slurmctld", "munged"):
            try:
                process = int((self.folder / f"{program}.pid").read_text())
                os.kill(process, signal.SIGKILL)
                while pathlib.Path(f"/proc/{process}").exists():
                    time.sleep(0.05)
            except (OSError, ValueError):
                pass
