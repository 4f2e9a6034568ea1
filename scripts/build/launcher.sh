#!/bin/sh
# Commonplace @VERSION@ for @TARGET@, in one file: this script, which runs the program from the
# folder that it was unpacked into, and behind it all that the first start unpacks there.
set -uf
PATH=${PATH:+$PATH:}/usr/bin:/bin
name=@NAME@

case $0 in
  /*) executable=$0 ;;
  *) executable=$PWD/$0 ;;
esac

# The data directory, as the program will find it: it may be the only place that can be written.
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

# What this script needs of the folder, by time and size; src/bundle/start.ts looks at the rest.
is_whole() {
  [ -x "$1/deno" ] && [ -f "$1/ready" ] || return 1
  for file in @CHECKED@; do
    [ -f "$1/$file" ] && ! [ "$1/$file" -nt "$1/ready" ] || return 1
  done
  sizes=$(cd "$1" && wc -c @CHECKED@) || return 1
  set -- $sizes
  [ "$1 $3 $5 $7 $9" = "@SIZES@" ]
}

run() {
  # Without links, as the program sees itself: it may start nothing but its own file.
  folder=$(cd "$1" && pwd -P) || exit 1
  shift
  export DENO_DIR="$folder/cache" DENO_NO_UPDATE_CHECK=1 COMMONPLACE_EXECUTABLE="$executable"
  exec "$folder/deno" run --no-prompt --cached-only --no-remote --no-lock \
    --config "$folder/app/deno.json" \
    @PERMISSIONS@ "$folder/app/src/bundle/start.ts" "$@"
}

fresh=
clean() {
  if [ -n "$fresh" ]; then rm -rf "$fresh"; fi
}

# Unpacks into a place, or says why not.
unpack() {
  case $1 in *,*) echo "the path holds a comma"; return 1 ;; esac
  umask 077
  mkdir -p "$1" 2>/dev/null && fresh=$(mktemp -d "$1/new.XXXXXX" 2>/dev/null) || {
    echo "it can't be written"
    return 1
  }
  umask 022
  trap clean EXIT
  trap 'exit 1' HUP INT TERM
  dd bs=65536 skip=1 count=1 if="$executable" of="$fresh/unpack.ts" 2>/dev/null &&
    dd bs=65536 skip=@RUNTIME_BLOCK@ if="$executable" of="$fresh/deno" 2>/dev/null &&
    chmod 755 "$fresh/deno" || {
    echo "no room for @UNPACKED_MB@ MB"
    return 1
  }
  "$fresh/deno" --version >/dev/null 2>&1 || {
    echo "programs can't be run there"
    return 1
  }
  sync=$(command -v sync) || sync=
  PATH=$PATH DENO_DIR="$fresh/cache" DENO_NO_UPDATE_CHECK=1 NO_COLOR=1 "$fresh/deno" run --quiet \
    --no-prompt --no-config --no-lock --no-remote --allow-read --allow-write \
    ${sync:+--allow-run="$sync"} "$fresh/unpack.ts" \
    "$executable" "$1" "$fresh" "$name" @MANIFEST_OFFSET@ @MANIFEST_SIZE@ 2>&1 </dev/null
}

cache=
if [ -n "${XDG_CACHE_HOME:-}" ]; then
  cache=$XDG_CACHE_HOME/commonplace
elif [ -n "${HOME:-}" ]; then
  cache=$HOME/.cache/commonplace
fi
chosen=${COMMONPLACE_UNPACK_DIR:-}
if [ -n "$chosen" ]; then
  case $chosen in /*) ;; *) chosen=$PWD/$chosen ;; esac
  cache= data=
else
  data=$data/program
fi
# A backup is restored into an empty directory only.
if [ "${1:-}" = restore ]; then data=; fi

for place in "$chosen" "$cache" "$data"; do
  if [ -n "$place" ] && is_whole "$place/$name"; then run "$place/$name" "$@"; fi
done

size=$(wc -c <"$executable")
if [ "$size" -ne @EXECUTABLE_SIZE@ ]; then
  echo "commonplace: $executable is damaged; get it anew" >&2
  exit 1
fi
problems=
for place in "$chosen" "$cache" "$data"; do
  [ -n "$place" ] || continue
  if problem=$(unpack "$place") && is_whole "$place/$name"; then run "$place/$name" "$@"; fi
  # In one line, whatever it was.
  problems="$problems; $place: $(echo ${problem:-unpacked, but not whole})"
done
echo "commonplace: Can't unpack the program${problems}; COMMONPLACE_UNPACK_DIR names another place" >&2
exit 1
