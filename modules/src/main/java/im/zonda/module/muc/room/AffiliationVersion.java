package im.zonda.module.muc.room;

import im.zonda.hash.HashFunction;
import im.zonda.jid.Jid;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The version of a room's affiliations (XEP-0463): the sum of the hashes of the entries, so that
/// it is the same on each node and after a restart and nothing has to be stored. Without the room's
/// salt, it says nothing about the entries.
///
/// @param high the upper half of the sum
/// @param low the lower half of the sum
public record AffiliationVersion(long high, long low) {
  /// The namespace and feature.
  public static final String NAMESPACE = "urn:xmpp:muc:affiliations:1";

  /// The element in requests and answers.
  public static final QName MAV = new QName(NAMESPACE, "mav");

  /// The version of these affiliations.
  ///
  /// @param salt the room's own
  public static AffiliationVersion of(Affiliations affiliations, String salt) {
    AffiliationVersion version = new AffiliationVersion(0, 0);
    for (Map.Entry<Jid, Affiliations.Entry> each : affiliations.all().entrySet()) {
      version = version.plus(hash(each.getKey(), each.getValue().affiliation(), salt));
    }
    return version;
  }

  /// The version after a user's affiliation has changed.
  AffiliationVersion after(Jid user, Affiliation before, Affiliation after, String salt) {
    AffiliationVersion version = this;
    if (before != Affiliation.NONE) {
      AffiliationVersion hash = hash(user, before, salt);
      version = new AffiliationVersion(version.high - hash.high, version.low - hash.low);
    }
    return after == Affiliation.NONE ? version : version.plus(hash(user, after, salt));
  }

  private AffiliationVersion plus(AffiliationVersion other) {
    return new AffiliationVersion(high + other.high, low + other.low);
  }

  private static AffiliationVersion hash(Jid user, Affiliation affiliation, String salt) {
    MessageDigest digest = HashFunction.SHA_256.begin();
    digest.update((salt + '\0' + affiliation.value() + '\0').getBytes(StandardCharsets.UTF_8));
    ByteBuffer hash = ByteBuffer.wrap(digest.digest(user.utf8()));
    return new AffiliationVersion(hash.getLong(), hash.getLong());
  }

  /// An element with versions.
  ///
  /// @param since the version before, or null
  public static Element element(@Nullable String since, String until) {
    return Element.builder(MAV).attribute("since", since).attribute("until", until).build();
  }

  /// The version as text.
  @Override
  public String toString() {
    byte[] bytes = ByteBuffer.allocate(2 * Long.BYTES).putLong(high).putLong(low).array();
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
