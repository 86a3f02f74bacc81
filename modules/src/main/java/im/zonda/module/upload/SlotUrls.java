package im.zonda.module.upload;

import im.zonda.http.HttpRequest;
import im.zonda.http.Signer;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import java.net.IDN;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The URLs of slots. That for the upload has the slot and its signature in its query, so that the
/// server need not remember it.
final class SlotUrls {
  /// Where files are.
  static final String FOLDER = "/upload/";

  private static final String PURPOSE = "upload";
  private static final String PARAMETER = "slot";
  private static final String NONE = "-";
  private static final int FIELDS = 5;
  private static final String UNRESERVED = "-._~";

  private final Signer signer;

  SlotUrls(Signer signer) {
    this.signer = signer;
  }

  /// What the path of a file says.
  record Place(String id, String name) {
    /// Reads a path; null if it is none of a file.
    static @Nullable Place of(String path) {
      int slash = path.indexOf('/', FOLDER.length());
      if (!path.startsWith(FOLDER) || slash < 0) {
        return null;
      }
      String name = path.substring(slash + 1);
      return name.isEmpty() || name.contains("/")
          ? null
          : new Place(path.substring(FOLDER.length(), slash), name);
    }
  }

  /// The path from which the file is downloaded.
  static String path(Slot slot) {
    return path(slot.id(), slot.name());
  }

  /// The same for the file of a slot.
  static String path(String id, String name) {
    return FOLDER + id + "/" + escape(name);
  }

  /// The URL of a path at a host.
  static String url(ModuleContext context, String path) {
    return context.config().http().url(IDN.toASCII(context.domain().domain())) + path;
  }

  /// The path with its query to which the file is uploaded.
  String uploadPath(Slot slot) {
    String fields = fields(slot);
    byte[] signature = sign(slot.id(), slot.name(), fields);
    Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
    return path(slot)
        + "?"
        + PARAMETER
        + "="
        + base64.encodeToString(fields.getBytes(StandardCharsets.UTF_8))
        + "."
        + base64.encodeToString(signature);
  }

  /// None of the fields has a line break.
  private static String fields(Slot slot) {
    Instant expires = slot.expires();
    return String.join(
        "\n",
        slot.owner().toString(),
        Long.toString(slot.size()),
        slot.type() == null ? NONE : slot.type(),
        Long.toString(slot.valid().getEpochSecond()),
        expires == null ? NONE : Long.toString(expires.getEpochSecond()));
  }

  private byte[] sign(String id, String name, String fields) {
    return signer.sign(PURPOSE, String.join("\n", id, name, fields));
  }

  /// The slot of a request; null if it has none, or one that this server has not signed.
  @Nullable Slot read(HttpRequest request) {
    Place place = Place.of(request.path());
    String text = request.query().get(PARAMETER);
    int dot = text == null ? -1 : text.indexOf('.');
    if (place == null || text == null || dot < 0) {
      return null;
    }
    try {
      Base64.Decoder base64 = Base64.getUrlDecoder();
      String fields = new String(base64.decode(text.substring(0, dot)), StandardCharsets.UTF_8);
      byte[] signature = base64.decode(text.substring(dot + 1));
      return MessageDigest.isEqual(signature, sign(place.id, place.name, fields))
          ? slot(place, List.of(fields.split("\n", -1)))
          : null;
    } catch (IllegalArgumentException e) {
      return null; // not base64, or no address
    }
  }

  private static @Nullable Slot slot(Place place, List<String> fields) {
    if (fields.size() != FIELDS) {
      return null;
    }
    String type = fields.get(2);
    String expires = fields.get(4);
    return new Slot(
        place.id,
        Jid.stored(fields.get(0)),
        place.name,
        Long.parseLong(fields.get(1)),
        type.equals(NONE) ? null : type,
        Instant.ofEpochSecond(Long.parseLong(fields.get(3))),
        expires.equals(NONE) ? null : Instant.ofEpochSecond(Long.parseLong(expires)));
  }

  /// A segment of a path, or a value of a header field, in ASCII (RFC 3986, section 2.1).
  static String escape(String text) {
    StringBuilder escaped = new StringBuilder();
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (each & 0xFF);
      boolean plain =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || UNRESERVED.indexOf(c) >= 0;
      if (plain) {
        escaped.append(c);
      } else {
        escaped.append('%').append(Character.toUpperCase(Character.forDigit(c >> 4, 16)));
        escaped.append(Character.toUpperCase(Character.forDigit(c & 15, 16)));
      }
    }
    return escaped.toString();
  }
}
