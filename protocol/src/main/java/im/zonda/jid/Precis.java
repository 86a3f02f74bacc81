package im.zonda.jid;

import rocks.xmpp.precis.PrecisProfile;
import rocks.xmpp.precis.PrecisProfiles;

/// The PRECIS profiles of RFC 8265, for parts that are not ASCII.
final class Precis {
  private Precis() {}

  /// UsernameCaseMapped.
  static String username(String part) {
    return enforce(PrecisProfiles.USERNAME_CASE_MAPPED, part);
  }

  /// OpaqueString.
  static String opaque(String part) {
    return enforce(PrecisProfiles.OPAQUE_STRING, part);
  }

  // RFC 8264, section 7: a string that changes when it is prepared again must be rejected, because
  // the same address would have two forms.
  private static String enforce(PrecisProfile profile, String part) {
    try {
      String once = profile.enforce(part);
      if (once.equals(part) || profile.enforce(once).equals(once)) {
        return once;
      }
    } catch (IllegalArgumentException e) {
      throw new JidFormatException("characters that a part must not have: " + e.getMessage());
    }
    throw new JidFormatException("a part that has no stable form");
  }
}
