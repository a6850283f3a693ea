# long_damage.sh: damage.sh with many more places.
PLAIT_DAMAGE=${PLAIT_DAMAGE:-150} PLAIT_SEED=${PLAIT_SEED:-7} source "$PLAIT_SOURCE/test/cli/damage.sh"
