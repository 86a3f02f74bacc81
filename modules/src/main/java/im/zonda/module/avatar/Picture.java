package im.zonda.module.avatar;

import im.zonda.hash.HashFunction;
import im.zonda.xml.Element;
import im.zonda.xml.Node;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A picture in the forms that it has in vCards and in nodes.
///
/// @param hash its SHA-1 hash, in lower-case hexadecimal digits
/// @param size its size in bytes
/// @param type its content type
/// @param data it, in Base64 without line breaks
record Picture(String hash, int size, String type, String data) {
  /// The node with the pictures, and the namespace of its payloads.
  static final String DATA = "urn:xmpp:avatar:data";

  /// The node that says which picture is the avatar, and the namespace of its payloads.
  static final String METADATA = "urn:xmpp:avatar:metadata";

  /// The namespace of vCards.
  static final String VCARD = "vcard-temp";

  private static final int HASH_LENGTH = 40;

  /// The picture of a vCard; null if it has none, or one that is no image in Base64.
  static @Nullable Picture ofVcard(Element vcard) {
    Element photo = vcard.child("PHOTO");
    Element binval = photo == null ? null : photo.child("BINVAL");
    byte[] bytes = binval == null ? null : decode(binval.text());
    if (photo == null || bytes == null || bytes.length == 0) {
      return null;
    }
    Element said = photo.child("TYPE");
    String type = said == null ? "" : said.text().strip().toLowerCase(Locale.ROOT);
    if (!type.startsWith("image/")) {
      type = typeOf(bytes);
    }
    return type == null ? null : of(bytes, type);
  }

  /// The picture of an item of [#DATA]; null if it does not have that hash.
  static @Nullable Picture ofData(Element data, Reference info) {
    byte[] bytes = data.is(DATA, "data") ? decode(data.text()) : null;
    Picture picture = bytes == null ? null : of(bytes, info.type());
    return picture != null && picture.hash.equals(info.hash()) ? picture : null;
  }

  private static Picture of(byte[] bytes, String type) {
    return new Picture(
        HashFunction.SHA_1.hex(bytes),
        bytes.length,
        type,
        Base64.getEncoder().encodeToString(bytes));
  }

  private static byte @Nullable [] decode(String text) {
    try {
      return Base64.getDecoder().decode(text.replaceAll("\\s", ""));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /// The content type by the first bytes, or null.
  private static @Nullable String typeOf(byte[] bytes) {
    String start = HexFormat.of().formatHex(bytes, 0, Math.min(bytes.length, 4));
    return switch (start) {
      case "89504e47" -> "image/png";
      case "47494638" -> "image/gif";
      case "52494646" -> "image/webp";
      default -> start.startsWith("ffd8ff") ? "image/jpeg" : null;
    };
  }

  /// What the metadata says of the picture that is in [#DATA].
  ///
  /// @param hash the id of its item, in lower-case hexadecimal digits
  /// @param id the id as it is written
  /// @param type its content type
  record Reference(String hash, String id, String type) {
    /// Reads metadata. A picture at an address on the web is not in the node (XEP-0398, section
    /// 4.1).
    ///
    /// @return null if it names no picture, or is no metadata
    static @Nullable Reference of(Element metadata) {
      if (!metadata.is(METADATA, "metadata")) {
        return null;
      }
      for (Element info : metadata.children()) {
        String id = info.attribute("id");
        if (info.is(METADATA, "info")
            && info.attribute("url") == null
            && id != null
            && id.length() == HASH_LENGTH) {
          String type = info.attribute("type");
          return new Reference(id.toLowerCase(Locale.ROOT), id, type == null ? "image/png" : type);
        }
      }
      return null;
    }
  }

  /// The payload of an item of [#DATA].
  Element toData() {
    return Element.builder(DATA, "data").text(data).build();
  }

  /// The payload of an item of [#METADATA].
  Element toMetadata() {
    return Element.builder(METADATA, "metadata")
        .child(
            Element.builder(METADATA, "info")
                .attribute("bytes", Integer.toString(size))
                .attribute("id", hash)
                .attribute("type", type)
                .build())
        .build();
  }

  /// The photo of a vCard.
  Element toPhoto() {
    return Element.builder(VCARD, "PHOTO").child("TYPE", type).child("BINVAL", data).build();
  }

  /// A vCard with that photo in place of its own.
  ///
  /// @param vcard the vCard, or null
  /// @param photo the photo, or null for none
  static Element withPhoto(@Nullable Element vcard, @Nullable Element photo) {
    Element.Builder changed = Element.builder(VCARD, "vCard");
    boolean placed = photo == null;
    if (vcard != null) {
      vcard.attributes().forEach(changed::attribute);
      for (Node node : vcard.nodes()) {
        if (!(node instanceof Element child) || !child.is(VCARD, "PHOTO")) {
          changed.node(node);
        } else if (!placed && photo != null) {
          changed.child(photo);
          placed = true;
        }
      }
    }
    if (!placed && photo != null) {
      changed.child(photo);
    }
    return changed.build();
  }
}
