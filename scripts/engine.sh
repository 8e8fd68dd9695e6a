#!/bin/sh
# Makes sure that a Docker engine answers and that base images can be made.
# engine.sh PYTHON [PACKAGE...]: PYTHON has jeto-bench installed; packages are wanted besides.
# On Debian with root what is missing is installed and started; elsewhere it says what to do.
set -eu
python=$1
shift

answers() {
    "$python" - <<'EOF' >/dev/null 2>&1
import os, pathlib
from jeto_evaluate.engine.client import connect
from jeto_evaluate.engine.endpoint import resolve_endpoint
connect(resolve_endpoint(None, environ=os.environ, home=pathlib.Path.home()), timeout=20)
EOF
}

missing() {
    for name in "$@"; do
        command -v "$name" >/dev/null 2>&1 || [ -x "/usr/sbin/$name" ] || echo "$name"
    done
}

can_install() {
    [ "$(id -u)" = 0 ] && [ -e /etc/debian_version ] && command -v apt-get >/dev/null 2>&1
}

want=$(missing mmdebstrap "$@")
if ! answers; then
    [ -n "$(missing dockerd)" ] && want="docker.io $want"
fi
if [ -n "$want" ] && can_install; then
    echo "installing" $want
    apt-get update -qq
    # shellcheck disable=SC2086  # a list of packages
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $want \
        iptables >/dev/null
fi
if ! answers && can_install; then
    # After a crash these name processes that are gone, or other ones by now.
    pgrep -x dockerd >/dev/null || rm -f /run/docker.pid /run/docker/containerd/containerd.pid
    echo "starting dockerd (log: /var/log/dockerd.log)"
    nohup setsid dockerd >/var/log/dockerd.log 2>&1 </dev/null &
    for _ in $(seq 60); do
        sleep 1
        if answers; then break; fi
    done
fi
if ! answers; then
    cat >&2 <<'EOF'
No Docker engine answers, and this script installs one only on Debian as root.
  - Linux: install Docker Engine with your package manager and start it:
        sudo systemctl start docker
    and let your user in:  sudo usermod -aG docker "$USER"   (log in again afterwards)
  - macOS, Windows: start Docker Desktop, Colima or Rancher Desktop.
  - An engine elsewhere: set DOCKER_HOST.
Then run the same command again; `jeto-bench doctor` tells what is still missing.
EOF
    exit 3
fi
