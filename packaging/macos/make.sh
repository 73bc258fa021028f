#!/usr/bin/env bash
# Builds dist/Replyroom-VERSION-ARCHITECTURE.dmg on a Mac, for Macs of the same kind. Not tried on a Mac yet.
#
#   packaging/macos/make.sh            signed for this machine only (ad hoc): macOS asks before it opens what came from the network
#   packaging/macos/make.sh --signed   signed and notarized, with what sign.sh and notarize.sh ask for
#
# Runs in an environment with requirements.lock, packaging/tools.lock and packaging/macos/tools.lock installed.
set -euo pipefail
cd "$(dirname "$0")/../.."

if [ "$(uname -s)" != Darwin ]; then
  echo "make.sh: Replyroom.app can be built on a Mac only." >&2
  exit 1
fi
signed="${1:-}"
case "$signed" in
  "" | --signed) ;;
  *) echo "usage: packaging/macos/make.sh [--signed]" >&2; exit 2 ;;
esac

version="$(python -c 'import tomllib; print(tomllib.load(open("pyproject.toml", "rb"))["project"]["version"])')"
app="dist/Replyroom.app"
image="dist/Replyroom-$version-$(uname -m).dmg"
inside="$app/Contents/Resources"

PYTHONPATH=. python -m PyInstaller --noconfirm --log-level WARN --workpath build/macos --distpath dist packaging/macos/replyroom.spec
python packaging/notices.py "$inside/resources/licenses" --bundle "$inside"
if [ "$signed" = --signed ]; then
  packaging/macos/sign.sh "$app"
else
  packaging/macos/sign.sh "$app" --ad-hoc
fi
"$app/Contents/MacOS/replyroom" --self-test
rm -f "$image"
dmgbuild -s packaging/macos/dmg_settings.py -D app="$app" Replyroom "$image"
if [ "$signed" = --signed ]; then
  packaging/macos/notarize.sh "$image"
fi
echo "$image"
