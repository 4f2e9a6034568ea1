#!/bin/sh
# Commonplace @VERSION@ for @TARGET@ in a single file. This script runs the program from the folder
# that it is unpacked to. The rest of the file is what the first start unpacks there.
set -uf
PATH=${PATH:+$PATH:}/usr/bin:/bin
name=@NAME@

case $0 in
  /*) executable=$0 ;;
  *) executable=$PWD/$0 ;;
esac

# The data directory, determined the same way as in the program. It may be the only writable location.
data=${COMMONPLACE_DATA:-./commonplace-data}
next=
for word; do
  if [ -n "$next" ]; then data=$word next=; fi
  case $word in
    --data) next=data ;;
    --data=*) data=${word#--data=} ;;
  esac
done
case $data in /*) ;; *) data=$PWD/$data ;; esac

# Checks the times and sizes of the files that this script needs. src/bundle/start.ts checks the rest.
is_complete() {
  [ -x "$1/deno" ] && [ -f "$1/ready" ] || return 1
  for file in @CHECKED@; do
    [ -f "$1/$file" ] && ! [ "$1/$file" -nt "$1/ready" ] || return 1
  done
  sizes=$(cd "$1" && wc -c @CHECKED@) || return 1
  set -- $sizes
  [ "$1 $3 $5 $7 $9" = "@SIZES@" ]
}

run() {
  # We use the physical path, because the program resolves its own path and can only start that file.
  folder=$(cd "$1" && pwd -P) || exit 1
  shift
  export DENO_DIR="$folder/cache" DENO_NO_UPDATE_CHECK=1 COMMONPLACE_EXECUTABLE="$executable"
  # Only `connect` reads other programs' settings, and starts Claude Code and this file.
  if [ "${1:-}" = connect ]; then
    set -- @COMMAND_PERMISSIONS@ "$folder/app/src/bundle/start.ts" "$@"
  else
    set -- @PERMISSIONS@ "$folder/app/src/bundle/start.ts" "$@"
  fi
  exec "$folder/deno" run --no-prompt --cached-only --no-remote --no-lock \
    --config "$folder/app/deno.json" "$@"
}

staging=
clean() {
  if [ -n "$staging" ]; then rm -rf "$staging"; fi
}

# Shows a step on a terminal instead of the previous one, or nothing.
show() {
  if [ -t 2 ]; then printf '\r%-50s\r%s' '' "$1" >&2; fi
}

# Unpacks into a location. If that fails, prints the reason. Progress goes to descriptor 3.
unpack() {
  case $1 in *,*) echo "the path contains a comma"; return 1 ;; esac
  umask 077
  mkdir -p "$1" 2>/dev/null && staging=$(mktemp -d "$1/new.XXXXXX" 2>/dev/null) || {
    echo "the directory is not writable"
    return 1
  }
  umask 022
  trap clean EXIT
  trap 'exit 1' HUP INT TERM
  show 'Unpacking the program'
  dd bs=65536 skip=1 count=1 if="$executable" of="$staging/unpack.ts" 2>/dev/null &&
    dd bs=65536 skip=@RUNTIME_BLOCK@ if="$executable" of="$staging/deno" 2>/dev/null &&
    chmod 755 "$staging/deno" || {
    echo "no space for @UNPACKED_MB@ MB"
    return 1
  }
  "$staging/deno" --version >/dev/null 2>&1 || {
    echo "programs can't be executed there"
    return 1
  }
  sync=$(command -v sync) || sync=
  PATH=$PATH DENO_DIR="$staging/cache" DENO_NO_UPDATE_CHECK=1 NO_COLOR=1 "$staging/deno" run \
    --quiet --no-prompt --no-config --no-lock --no-remote --allow-read --allow-write \
    ${sync:+--allow-run="$sync"} "$staging/unpack.ts" \
    "$executable" "$1" "$staging" "$name" @MANIFEST_OFFSET@ @MANIFEST_SIZE@ 2>&1 >&3 </dev/null
}

cache=
if [ -n "${XDG_CACHE_HOME:-}" ]; then
  cache=$XDG_CACHE_HOME/commonplace
elif [ -n "${HOME:-}" ]; then
  cache=$HOME/.cache/commonplace
fi
configured=${COMMONPLACE_UNPACK_DIR:-}
if [ -n "$configured" ]; then
  case $configured in /*) ;; *) configured=$PWD/$configured ;; esac
  cache= data=
else
  data=$data/program
fi
# Restoring a backup requires an empty data directory.
if [ "${1:-}" = restore ]; then data=; fi

for location in "$configured" "$cache" "$data"; do
  if [ -n "$location" ] && is_complete "$location/$name"; then run "$location/$name" "$@"; fi
done

size=$(wc -c <"$executable")
if [ "$size" -ne @EXECUTABLE_SIZE@ ]; then
  echo "commonplace: $executable is damaged; download it again" >&2
  exit 1
fi
# Standard error can be closed.
{ : >&2; } 2>/dev/null || exec 2>/dev/null
problems=
for location in "$configured" "$cache" "$data"; do
  [ -n "$location" ] || continue
  if problem=$(unpack "$location" 3>&2) && is_complete "$location/$name"; then
    show ''
    run "$location/$name" "$@"
  fi
  show ''
  # echo joins the lines of the message.
  problems="$problems; $location: $(echo ${problem:-the unpacked files are incomplete})"
done
echo "commonplace: Can't unpack the program${problems}; set COMMONPLACE_UNPACK_DIR to another directory" >&2
exit 1
