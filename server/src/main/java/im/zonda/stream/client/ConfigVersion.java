package im.zonda.stream.client;

import im.zonda.hash.HashFunction;
import im.zonda.module.Xep;
import im.zonda.stanza.Namespaces;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// The version of what a stream offers before authentication. A client that knows it may send its
/// authentication together with the stream header, and is rejected without a penalty if the offer
/// has changed.
///
/// @param value a hash of the stream features
@Xep(
    number = 509,
    version = "0.2.0",
    title = "Initial Authentication Pipelining",
    note = "For clients")
record ConfigVersion(String value) {
  private static final String NAMESPACE = "urn:xmpp:iap:0";
  private static final QName NAME = new QName(NAMESPACE, "config-version");
  private static final int BYTES = 12;

  /// The version of these stream features.
  static ConfigVersion of(Element features) {
    byte[] hash = HashFunction.SHA_256.hash(features.toString());
    return new ConfigVersion(Base64.getEncoder().encodeToString(Arrays.copyOf(hash, BYTES)));
  }

  /// The same features with the version.
  Element addedTo(Element features) {
    return Element.builder(features.name())
        .children(features.children())
        .child(
            Element.builder(NAME).attribute("scheme", "opaque").attribute("value", value).build())
        .build();
  }

  /// Whether an `<authenticate/>` was made for another version than this one.
  static boolean isOutdated(@Nullable ConfigVersion present, Element authenticate) {
    Element known = authenticate.child(NAME);
    return known != null && (present == null || !present.value.equals(known.attribute("value")));
  }

  /// What such an `<authenticate/>` is answered.
  static Element mismatch() {
    return Element.builder(Sasl2Request.NAMESPACE, "failure")
        .child(Element.of(Namespaces.SASL, "aborted"))
        .child(Element.of(NAMESPACE, "config-version-mismatch"))
        .child("text", "Configuration version mismatch")
        .build();
  }
}
