#!/bin/bash
# Counts what is in the basket.

set -euo pipefail

LIMIT=40

usage() {
    cat <<EOF
usage: basket FILE
counts the things in FILE
EOF
    exit 2
}

# Counts all things.
total() {
    local total=0
    while read -r name count; do
        total=$((total + count))
    done < "$1"
    if [ "$total" -gt "$LIMIT" ]; then
        echo "no room" >&2
        return 1
    fi
    echo "$total"
}

case "${1:-}" in
    "")
        usage
        ;;
    *)
        total "$1"
        ;;
esac
