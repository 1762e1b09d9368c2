#!/bin/sh
# A Slurm cluster of two nodes on this host, for tests and for trying: controller and nodes are Debian's.
#
#   scripts/slurm_host.sh start FOLDER    writes FOLDER/slurm.conf, starts munged, slurmctld and two slurmd
#   scripts/slurm_host.sh kill FOLDER N   ends the slurmd of node N (1 or 2) and what it runs, as a crash would
#   scripts/slurm_host.sh node FOLDER N   starts it again
#   scripts/slurm_host.sh stop FOLDER     ends all of it
#
# SLURM_CONF=FOLDER/slurm.conf lets sbatch, squeue and sinew batch use it. It needs root, as slurmd does.
set -eu
act=${1:?start, kill, node or stop}
folder=$(realpath -m "${2:?a folder}")
host=$(hostname -s)

configure() {
    cpus=$(nproc)
    mkdir -p "$folder/state" "$folder/log"
    cat >"$folder/slurm.conf" <<CONF
ClusterName=sinew
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=17000
SlurmUser=root
AuthType=auth/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool-%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd-%n.pid
SlurmctldLogFile=$folder/log/slurmctld.log
SlurmdLogFile=$folder/log/slurmd-%n.log
# Nothing of the host is asked for: no cgroups, no accounting.
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
# A node that is gone is noticed, and its tasks are queued again, after half a minute.
SlurmdTimeout=30
InactiveLimit=0
KillWait=5
MinJobAge=300
SchedulerType=sched/backfill
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
MaxArraySize=1001
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=17001 CPUs=$cpus State=UNKNOWN
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=17002 CPUs=$cpus State=UNKNOWN
PartitionName=farm Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
CONF
}

start_munge() {
    pgrep -x munged >/dev/null && return
    [ -s /etc/munge/munge.key ] || (umask 077 && head -c 1024 /dev/urandom >/etc/munge/munge.key && chown munge /etc/munge/munge.key)
    mkdir -p /run/munge && chown munge /run/munge
    if [ "$(id -u munge)" != 0 ]; then setpriv --reuid=munge --clear-groups munged; else munged; fi
}

start_node() {
    mkdir -p "$folder/spool-n$1"
    slurmd -N "n$1" -f "$folder/slurm.conf"
}

# Its steps go with it: a machine that loses power leaves no process behind.
kill_node() {
    pid=$(cat "$folder/slurmd-n$1.pid" 2>/dev/null || true)
    [ -n "$pid" ] && kill -KILL "$pid" 2>/dev/null || true
    for step in $(pgrep -f "slurmstepd: \[.*\]" || true); do
        # A step belongs to the node whose spool it works in.
        tr '\0' '\n' <"/proc/$step/environ" 2>/dev/null | grep -q "spool-n$1" ||
            ls -l "/proc/$step/fd" 2>/dev/null | grep -q "spool-n$1\|slurmd-n$1" || continue
        for child in $(pgrep -P "$step" || true); do kill -KILL -- "-$child" 2>/dev/null || kill -KILL "$child" 2>/dev/null || true; done
        kill -KILL "$step" 2>/dev/null || true
    done
}

case $act in
start)
    configure
    start_munge
    SLURM_CONF="$folder/slurm.conf" slurmctld -f "$folder/slurm.conf"
    start_node 1
    start_node 2
    export SLURM_CONF="$folder/slurm.conf"
    for _ in $(seq 100); do
        [ "$(sinfo --noheader --format=%T --Node 2>/dev/null | grep -c idle)" = 2 ] && exit 0
        sleep 0.3
    done
    echo "slurm_host.sh: the nodes do not come up; see $folder/log" >&2
    exit 1
    ;;
kill) kill_node "${3:?1 or 2}" ;;
node) start_node "${3:?1 or 2}" ;;
stop)
    export SLURM_CONF="$folder/slurm.conf"
    scancel --user=root 2>/dev/null || true
    for pid in "$folder"/slurmd-n?.pid "$folder/slurmctld.pid"; do
        [ -f "$pid" ] && kill "$(cat "$pid")" 2>/dev/null || true
    done
    ;;
*)
    echo "slurm_host.sh: $act: start, kill, node or stop is expected" >&2
    exit 3
    ;;
esac
