#!/usr/bin/env bash
# Signs Replyroom.app from the inside out, with the hardened runtime. Not tried on a Mac yet.
#
#   REPLYROOM_SIGN_IDENTITY="Developer ID Application: NAME (TEAM)" packaging/macos/sign.sh APP
#   packaging/macos/sign.sh APP --ad-hoc      for this machine only: no identity, no hardened runtime
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"

fail() {
  echo "sign.sh: $1" >&2
  exit 1
}

app="${1:-}"
kind="${2:-}"
[ -n "$app" ] || fail "say which program to sign: packaging/macos/sign.sh dist/Replyroom.app"
[ -d "$app/Contents" ] || fail "$app is no program of macOS; build it first with packaging/macos/make.sh."
command -v codesign >/dev/null || fail "codesign was not found: this runs on a Mac with Xcode's command line tools."

if [ "$kind" = --ad-hoc ]; then
  identity="-"
  flags=(--force)
elif [ -n "$kind" ]; then
  fail "$kind is not known; the only choice is --ad-hoc."
else
  identity="${REPLYROOM_SIGN_IDENTITY:-}"
  [ -n "$identity" ] || fail "REPLYROOM_SIGN_IDENTITY is not set. It names your Developer ID Application certificate, as \
'security find-identity -v -p codesigning' lists it. To sign for this machine only, add --ad-hoc."
  security find-identity -v -p codesigning | grep -qF "$identity" || fail "the keychain has no valid certificate \
\"$identity\". Install it with its private key, and unlock the keychain."
  flags=(--force --timestamp --options runtime)
fi

sign() {
  codesign "${flags[@]}" --sign "$identity" "$@"
}

# Libraries, then what holds them: a signature covers all that lies below.
find "$app/Contents" -type f \( -name '*.so' -o -name '*.dylib' \) -print0 | while IFS= read -r -d '' file; do
  sign "$file"
done
find "$app/Contents" -type d -name QtWebEngineProcess.app -print0 | while IFS= read -r -d '' helper; do
  sign --entitlements "$here/webengine.entitlements" "$helper"
done
find "$app/Contents" -depth -type d -name '*.framework' -print0 | while IFS= read -r -d '' framework; do
  sign "$framework"
done
find "$app/Contents/MacOS" -type f -perm -u+x -print0 | while IFS= read -r -d '' file; do
  sign --entitlements "$here/program.entitlements" "$file"
done
sign --entitlements "$here/program.entitlements" "$app"
codesign --verify --deep --strict --verbose=1 "$app"
