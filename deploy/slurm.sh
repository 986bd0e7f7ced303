#!/bin/sh
# One search on many machines, as a Slurm array: each task searches one shard and writes it into FOLDER.
#
#   sbatch deploy/slurm.sh FOLDER SCENARIO [OPTION of locklab explore]...
#
#SBATCH --job-name=locklab
#SBATCH --array=1-8
#SBATCH --cpus-per-task=2
#SBATCH --mem=4G
#SBATCH --time=1-00:00:00
#SBATCH --requeue
set -eu

# As many as the array has, also where only some of them are submitted again. At most 16.
shards=${SHARDS:-8}

folder=$1
shift
mkdir -p "$folder"
exec locklab explore "$@" --budget 80000s --memory 3GB --threads "${SLURM_CPUS_PER_TASK:-1}" \
    --shard "$SLURM_ARRAY_TASK_ID/$shards" --output "$folder/$SLURM_ARRAY_TASK_ID.json"
