#!/usr/bin/env bash
# Has Apple look at a signed disk image, and staples its answer to it. Not tried on a Mac yet.
#
#   REPLYROOM_SIGN_IDENTITY=... REPLYROOM_NOTARY_PROFILE=PROFILE packaging/macos/notarize.sh IMAGE.dmg
#
# The profile is made once: xcrun notarytool store-credentials PROFILE
set -euo pipefail

fail() {
  echo "notarize.sh: $1" >&2
  exit 1
}

image="${1:-}"
[ -n "$image" ] || fail "say which image: packaging/macos/notarize.sh dist/Replyroom.dmg"
[ -f "$image" ] || fail "$image is not there; build it first with packaging/macos/make.sh --signed."
[ -n "${REPLYROOM_SIGN_IDENTITY:-}" ] || fail "REPLYROOM_SIGN_IDENTITY is not set; it names your Developer ID Application certificate."
[ -n "${REPLYROOM_NOTARY_PROFILE:-}" ] || fail "REPLYROOM_NOTARY_PROFILE is not set. Make a profile once with \
'xcrun notarytool store-credentials NAME' and give its name."
command -v xcrun >/dev/null || fail "xcrun was not found: this runs on a Mac with Xcode's command line tools."

codesign --force --timestamp --sign "$REPLYROOM_SIGN_IDENTITY" "$image"
xcrun notarytool submit "$image" --keychain-profile "$REPLYROOM_NOTARY_PROFILE" --wait ||
  fail "Apple refused $image, or could not be asked; 'xcrun notarytool log ID --keychain-profile $REPLYROOM_NOTARY_PROFILE' says why."
xcrun stapler staple "$image"
spctl --assess --type open --context context:primary-signature --verbose "$image"
