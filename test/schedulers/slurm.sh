#!/bin/sh
# Sets up one node of Slurm on this machine, explores in an array of four jobs, merges them, and compares with one
# exploration of the whole. For a machine that is thrown away: it runs as root, and replaces /etc/slurm/slurm.conf.
# Needs Debian's packages: apt-get install slurm-wlm munge. Usage: test/schedulers/slurm.sh [dist/cli.js]
set -eu
. "$(dirname "$0")/project.sh"

name=$(hostname -s)
mkdir -p /etc/slurm /run/munge spool state
[ -e /etc/munge/munge.key ] || { dd if=/dev/urandom of=/etc/munge/munge.key bs=1024 count=1 status=none; }
chown munge: /etc/munge/munge.key /run/munge
chmod 400 /etc/munge/munge.key
cat > /etc/slurm/slurm.conf <<END
ClusterName=ringback
SlurmctldHost=$name(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
SlurmdSpoolDir=$folder/spool
StateSaveLocation=$folder/state
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
NodeName=$name NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
END
echo "IgnoreSystemd=yes" > /etc/slurm/cgroup.conf

end() {
  kill "$(cat "$folder/slurmd.pid")" "$(cat "$folder/slurmctld.pid")" "$(cat "$folder/munged.pid")" || true
}
trap end EXIT
runuser -u munge -- /usr/sbin/munged --pid-file=/run/munge/munged.pid
cp /run/munge/munged.pid munged.pid
slurmctld
slurmd

srun --version
cat > job.sh <<END
#!/bin/sh
#SBATCH --array=1-4
#SBATCH --output=part-%a.txt
$explore --shard auto --out part-\$SLURM_ARRAY_TASK_ID.jsonl || [ \$? -eq 1 ]
END
sbatch --wait job.sh
cat part-1.txt part-4.txt | grep "as Slurm says"
compare
