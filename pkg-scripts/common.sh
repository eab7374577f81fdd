# What the scripts share: where things are, and how to get what is missing.
# shellcheck shell=bash
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cache="${SMOOTH_CLIR_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/smooth-clir}"
target="${CARGO_TARGET_DIR:-target}"
generated=www/public/generated
# Every feature of every crate: one set, so that lints, documentation and tests share what is compiled.
features=lab,learn,gpu
for feature in neural gpu serve download clickhouse teacher; do features+=",smooth-clir-trainer/$feature"; done
export PATH="$cache/bin:$PATH"

say() { printf '\033[1m%s\033[0m\n' "$*" >&2; }
fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# Runs a command whose output is of interest only when it fails.
quietly() {
  local log
  log=$(mktemp)
  if ! "$@" >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
}

# The languages that have a package of their own, smooth-clir-models-en-xx: those with a card of their own.
language_packs() {
  local card
  for card in npm/models/card.*.json; do
    [ ! -e "$card" ] || basename "$card" .json | cut -d . -f 2
  done
}

# Whether any of the files after the first is newer than it, or it is not there.
outdated() {
  local made=$1
  shift
  [ ! -e "$made" ] || [ -n "$(find "$@" -newer "$made" -print -quit)" ]
}

# install_packages WHAT PACKAGE...: what is missing, from Debian, where we may.
install_packages() {
  local what=$1
  shift
  local how="install $what (Debian: apt-get install $*)"
  command -v apt-get >/dev/null && [ "$(id -u)" = 0 ] || fail "$what cannot be found: $how"
  say "Installing $what"
  quietly apt-get update || fail "Debian's package lists could not be fetched; is there a network?"
  quietly env DEBIAN_FRONTEND=noninteractive apt-get install --yes "$@" || fail "$what could not be installed: $how"
}

# With the versions of Cargo.lock, and no others.
cargo() {
  case ${1:-} in
    bench | build | check | clippy | doc | fetch | package | publish | run | test) command cargo "$1" --locked "${@:2}" ;;
    *) command cargo "$@" ;;
  esac
}

need_rust() {
  type -P cargo >/dev/null || fail "Rust is not installed: see https://rustup.rs"
  # The trainer's heap on Linux, jemalloc, is written in C.
  if [ "$(uname -s)" = Linux ] && ! { type -P cc && type -P make; } >/dev/null; then
    install_packages "a C compiler and make" gcc libc6-dev make
  fi
  need_target wasm32-unknown-unknown
}

# Rust's library for another kind of machine.
need_target() {
  local libraries
  libraries=$(rustc --print sysroot) || fail "the Rust toolchain of rust-toolchain.toml cannot be used"
  [ -d "$libraries/lib/rustlib/$1" ] && return
  command -v rustup >/dev/null || fail "Rust has no target $1, and there is no rustup to add it"
  say "Installing Rust's target $1"
  quietly rustup target add "$1" || fail "Rust's target $1 could not be installed; is there a network?"
}

need_wasm_bindgen() {
  local version
  version=$(sed -n 's/^wasm-bindgen = .*"=\([0-9.]*\)".*/\1/p' Cargo.toml)
  [ "$(wasm-bindgen --version 2>/dev/null)" = "wasm-bindgen $version" ] && return
  say "Installing wasm-bindgen $version in $cache/bin (some minutes)"
  # Little optimised: to compile it takes longer than it runs.
  CARGO_PROFILE_RELEASE_OPT_LEVEL=1 quietly cargo install wasm-bindgen-cli --version "$version" --no-default-features --root "$cache" ||
    fail "wasm-bindgen could not be installed; is there a network?"
}

# Builds a package's library for WebAssembly, as it is shipped: the same bytes wherever it is built. Messages of panics name
# files, so that the folders of crates and of this repository are named alike everywhere.
wasm_module() {
  local flags="-C target-feature=+simd128 --remap-path-prefix=$PWD=." folder
  # The folders of crates are there once these are.
  quietly cargo fetch --target wasm32-unknown-unknown
  for folder in "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/; do
    flags+=" --remap-path-prefix=${folder%/}=crates"
  done
  CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS=$flags cargo build --profile wasm-release --target wasm32-unknown-unknown --lib "$@"
}

# Binds a module that was built to JavaScript, into a folder, and makes its instance replaceable.
bind_module() {
  local name=$1 folder=$2
  wasm-bindgen --target web --out-dir "$folder" --out-name "$name" \
    "$target/wasm32-unknown-unknown/wasm-release/$name.wasm"
  # Its types name Symbol.dispose, which the settings of whoever uses them need not know.
  { echo '/// <reference lib="esnext.disposable" />' && cat "$folder/$name.d.ts"; } >"$folder/types"
  mv "$folder/types" "$folder/$name.d.ts"
  node pkg-scripts/renewable.mjs "$folder/$name"
}

# Makes a module that was bound small, which takes up to minutes, on one core.
shrink_module() {
  local name=$1 folder=$2
  # Nothing but the end of the stack lies in the lowest KiB of memory.
  # The features are those that Rust's compiler may use; without them wasm-opt refuses its output.
  node_modules/.bin/wasm-opt -Oz --low-memory-unused --enable-simd --enable-bulk-memory --enable-sign-ext \
    --enable-nontrapping-float-to-int --enable-mutable-globals --enable-reference-types \
    --enable-multivalue "$folder/${name}_bg.wasm" -o "$folder/small.wasm"
  mv "$folder/small.wasm" "$folder/${name}_bg.wasm"
}

# mdBook, which makes the site of the documentation; sets $mdbook.
need_mdbook() {
  local version=0.5.4
  mdbook="$cache/bin/mdbook"
  [ "$("$mdbook" --version 2>/dev/null)" = "mdbook v$version" ] && return
  say "Installing mdBook $version in $cache/bin (some minutes)"
  # Without optimisation, which takes longer than it saves: the site is small.
  CARGO_PROFILE_RELEASE_OPT_LEVEL=0 quietly command cargo install mdbook --version "$version" --no-default-features --locked --root "$cache" ||
    fail "mdBook could not be installed; is there a network?"
}

# TypeDoc, which makes the package's reference, with the versions of docs/site/package-lock.json; sets $docs_tools.
need_docs_tools() {
  docs_tools="$cache/docs-tools"
  cmp -s docs/site/package-lock.json "$docs_tools/installed.json" && return
  say "Installing TypeDoc in $docs_tools"
  mkdir -p "$docs_tools"
  cp docs/site/package.json docs/site/package-lock.json "$docs_tools/"
  (cd "$docs_tools" && quietly npm ci --no-audit --no-fund --ignore-scripts) || fail "TypeDoc could not be installed; is there a network?"
  cp docs/site/package-lock.json "$docs_tools/installed.json"
}

# An environment of our own for Python with these packages, NAME==VERSION; sets $python.
need_python() {
  if ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
    install_packages "Python 3 with venv" python3 python3-venv
  fi
  local environment="${SMOOTH_CLIR_BENCH_VENV:-$cache/bench-venv}"
  python="$environment/bin/python"
  "$python" -c 'import importlib.metadata as m, sys
sys.exit(any(m.version((p := package.split("=="))[0]).split("+")[0] != p[-1] for package in sys.argv[1:]))' "$@" 2>/dev/null && return
  say "Installing $* in $environment"
  [ -x "$python" ] || quietly python3 -m venv "$environment" || fail "no virtual environment could be made"
  quietly "$environment/bin/pip" install "$@" || fail "$* could not be installed; is there a network?"
}

need_node() {
  local version
  version=$(node --version 2>/dev/null) || fail "Node.js is not installed: version 20 or later is needed, see https://nodejs.org"
  version=${version#v}
  [ "${version%%.*}" -ge 20 ] || fail "Node.js is $version, but 20 or later is needed"
  command -v npm >/dev/null || fail "npm is not installed; it comes with Node.js"
  outdated node_modules/.package-lock.json package-lock.json || return 0
  say "Installing npm packages"
  quietly npm ci --no-audit --no-fund || fail "npm packages could not be installed; is there a network?"
  touch node_modules/.package-lock.json
}

find_browser() {
  local name
  for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable; do
    [ -n "$name" ] && command -v "$name" && return
  done
  return 1
}

need_browser() {
  if ! find_browser >/dev/null || ! command -v chromedriver >/dev/null; then
    install_packages "Chromium and ChromeDriver" chromium chromium-driver
  fi
  CHROMIUM=$(find_browser)
  CHROMEDRIVER=$(command -v chromedriver)
  export CHROMIUM CHROMEDRIVER
  quietly timeout 60 "$CHROMIUM" --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage \
    --user-data-dir="$(mktemp -d)" --dump-dom about:blank || fail "$CHROMIUM cannot start"
}

# Debian's Chromium without windows, for the tests of the page: half the time of the whole one, which serves elsewhere.
need_headless_shell() {
  command -v chromium-headless-shell >/dev/null && return
  dpkg -s chromium >/dev/null 2>&1 || return 0
  (install_packages "Chromium's headless shell" chromium-headless-shell) || say "Testing the page with $CHROMIUM"
}

# A Vulkan driver for the tests of the shaders; Mesa's lavapipe needs no GPU.
need_vulkan() {
  [ "$(uname)" = Linux ] || return 0
  local folder
  for folder in /usr/share/vulkan/icd.d /usr/local/share/vulkan/icd.d /etc/vulkan/icd.d; do
    compgen -G "$folder/*.json" >/dev/null && return
  done
  [ -n "${VK_DRIVER_FILES:-}${VK_ICD_FILENAMES:-}" ] && return
  install_packages "a Vulkan driver" mesa-vulkan-drivers libvulkan1
}

# install_rivals PACKAGE.JSON FOLDER: npm packages that are measured against, kept in FOLDER.
install_rivals() {
  cmp -s "$1" "$2/package.json" && return
  say "Installing rivals in $2"
  rm -rf "$2"
  mkdir -p "$2/node_modules"
  cp "$1" "$2/wanted.json"
  quietly npm install --prefix "$2" --no-audit --no-fund --no-save --ignore-scripts \
    $(node -p 'Object.entries(require(require("path").resolve(process.argv[1])).dependencies).map((entry) => entry.join("@")).join(" ")' "$1") ||
    fail "the rivals could not be installed; is there a network?"
  mv "$2/wanted.json" "$2/package.json"
}
