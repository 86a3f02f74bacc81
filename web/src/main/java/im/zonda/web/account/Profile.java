package im.zonda.web.account;

import im.zonda.xml.Element;
import im.zonda.xml.Node;
import im.zonda.xml.QName;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// Name and picture of an account in its vCard (XEP-0054). The rest of the vCard stays as it is.
///
/// @param vcard the vCard; without children if there is none
record Profile(Element vcard) {
  static final QName VCARD = new QName("vcard-temp", "vCard");

  /// The most characters of a name.
  static final int MOST_NAME = 100;

  private static final QName NAME = new QName(VCARD.namespace(), "FN");
  private static final QName PHOTO = new QName(VCARD.namespace(), "PHOTO");

  /// A picture of a type that browsers show and that has no scripts.
  ///
  /// @param type its media type
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Picture(String type, byte[] bytes) {
    /// The picture; null if the bytes are none of a known type.
    static @Nullable Picture of(byte[] bytes) {
      String start = HexFormat.of().formatHex(Arrays.copyOf(bytes, 12));
      String type =
          start.startsWith("89504e470d0a1a0a")
              ? "image/png"
              : start.startsWith("ffd8ff")
                  ? "image/jpeg"
                  : start.startsWith("474946383") ? "image/gif" : null;
      if (type == null && start.startsWith("52494646") && start.endsWith("57454250")) {
        type = "image/webp";
      }
      return type == null ? null : new Picture(type, bytes);
    }
  }

  /// The name; empty if there is none.
  String name() {
    Element name = vcard.child(NAME);
    return name == null ? "" : name.text().strip();
  }

  /// The picture; null if there is none, or none that browsers show.
  @Nullable Picture picture() {
    Element photo = vcard.child(PHOTO);
    Element data = photo == null ? null : photo.child("BINVAL");
    if (data == null) {
      return null;
    }
    try {
      return Picture.of(Base64.getDecoder().decode(data.text().replaceAll("\\s", "")));
    } catch (IllegalArgumentException e) {
      return null; // not Base64
    }
  }

  /// The same with another name.
  ///
  /// @param name what was entered; blank for none
  Profile withName(String name) {
    StringBuilder clean = new StringBuilder();
    name.codePoints()
        .map(c -> Character.isISOControl(c) || c == 0xFFFE || c == 0xFFFF ? ' ' : c)
        .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
        .limit(MOST_NAME)
        .forEach(clean::appendCodePoint);
    String text = clean.toString().strip();
    return with(NAME, text.isEmpty() ? null : Element.text(NAME, text));
  }

  /// The same with another picture, or without one.
  Profile withPicture(@Nullable Picture picture) {
    return with(
        PHOTO,
        picture == null
            ? null
            : Element.builder(PHOTO)
                .child("TYPE", picture.type())
                .child("BINVAL", Base64.getEncoder().encodeToString(picture.bytes()))
                .build());
  }

  private Profile with(QName name, @Nullable Element child) {
    Element.Builder changed = Element.builder(VCARD);
    vcard.attributes().forEach(changed::attribute);
    if (child != null) {
      changed.child(child);
    }
    for (Node node : vcard.nodes()) {
      if (!(node instanceof Element other) || !other.name().equals(name)) {
        changed.node(node);
      }
    }
    return new Profile(changed.build());
  }
}
