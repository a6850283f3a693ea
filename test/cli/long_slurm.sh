# long_slurm.sh: 200 runs through a real Slurm.
SLURM_RUNS=200
source "$PLAIT_SOURCE/test/cli/slurm.sh"
