#!/bin/sh
# One round: asks the resident Maven to run the tests, waits, and lets the fork server clean up.
# round.sh REPORTS_DIRECTORY CLASSES_FILE ; prints nothing, exits with Maven's status.
run=/jeto/run
echo "$1 $2" >"$run/command"
read -r status <"$run/done"
echo quit >"$run/requests"
exit "$status"
