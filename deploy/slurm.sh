#!/bin/sh
# One search, sample or comparison on many machines, as a Slurm array: each task does one shard and writes it into FOLDER.
#
#   sbatch deploy/slurm.sh FOLDER explore SCENARIO [OPTION]...
#   sbatch deploy/slurm.sh FOLDER risk SCENARIO --model FILE [OPTION]...
#   sbatch deploy/slurm.sh FOLDER compare [OPTION]...
#
#SBATCH --job-name=locklab
#SBATCH --array=1-8
#SBATCH --cpus-per-task=2
#SBATCH --mem=4G
#SBATCH --time=1-00:00:00
#SBATCH --requeue
set -eu

# As many as the array has, also where only some of them are submitted again. At most 16 for a search.
shards=${SHARDS:-8}

folder=$1
command=$2
shift 2
mkdir -p "$folder"

# What the machine can give. A comparison takes every processor that the task has.
case $command in
    explore) set -- "$@" --budget 80000s --memory 3GB --threads "${SLURM_CPUS_PER_TASK:-1}" ;;
    risk) set -- "$@" --threads "${SLURM_CPUS_PER_TASK:-1}" ;;
    compare) ;;
    *) echo "slurm.sh: explore, risk or compare, not $command" >&2; exit 2 ;;
esac

exec locklab "$command" "$@" --shard "$SLURM_ARRAY_TASK_ID/$shards" --output "$folder/$SLURM_ARRAY_TASK_ID.json"
