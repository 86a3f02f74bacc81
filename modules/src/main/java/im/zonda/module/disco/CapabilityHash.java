package im.zonda.module.disco;

import im.zonda.stanza.Namespaces;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The hashes of entity capabilities 2.0 (XEP-0390, section 4).
public final class CapabilityHash {
  /// The namespace of the element in presence, and of the feature.
  public static final String NAMESPACE = "urn:xmpp:caps";

  private static final QName LANG = new QName(Namespaces.XML, "lang");
  private static final String DATA = "jabber:x:data";

  /// Ends the features, the identities and the forms.
  private static final int PART = 0x1c;

  /// Ends a form.
  private static final int FORM = 0x1d;

  /// Ends an identity, or a field.
  private static final int ENTRY = 0x1e;

  /// Ends a value.
  private static final int VALUE = 0x1f;

  /// Hash functions by their names in XEP-0300, the preferred ones first.
  private static final Map<String, String> ALGORITHMS =
      Map.of(
          "sha-256",
          "SHA-256",
          "sha-512",
          "SHA-512",
          "sha3-256",
          "SHA3-256",
          "sha3-512",
          "SHA3-512");

  private CapabilityHash() {}

  /// Whether hashes of that function can be verified.
  ///
  /// @param algorithm the name of the hash function (XEP-0300)
  public static boolean isKnown(@Nullable String algorithm) {
    return algorithm != null && ALGORITHMS.containsKey(algorithm);
  }

  /// The discovery node of a hash (section 4.3).
  public static String node(String algorithm, String hash) {
    return NAMESPACE + "#" + algorithm + "." + hash;
  }

  /// Whether a disco#info result has that hash (section 4.4).
  public static boolean verify(Element info, String algorithm, String hash) {
    return isKnown(algorithm) && hash.equals(of(info, algorithm));
  }

  /// The hash of a disco#info result in Base64; null if the result cannot have one.
  ///
  /// @param algorithm the name of a hash function that is known
  public static @Nullable String of(Element info, String algorithm) {
    byte[] input = input(info);
    if (input == null) {
      return null;
    }
    try {
      MessageDigest function =
          MessageDigest.getInstance(Objects.requireNonNull(ALGORITHMS.get(algorithm)));
      return Base64.getEncoder().encodeToString(function.digest(input));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has " + algorithm, e);
    }
  }

  /// The input of the hash function (section 4.1); null if there is an element that is not allowed.
  private static byte @Nullable [] input(Element info) {
    List<byte[]> features = new ArrayList<>();
    List<byte[]> identities = new ArrayList<>();
    List<byte[]> forms = new ArrayList<>();
    for (Element child : info.children()) {
      if (child.is(DiscoModule.INFO, "feature")) {
        features.add(text(child.attribute("var")));
      } else if (child.is(DiscoModule.INFO, "identity")) {
        identities.add(
            ended(
                ENTRY,
                List.of(
                    text(child.attribute("category")),
                    text(child.attribute("type")),
                    text(child.attribute(LANG)),
                    text(child.attribute("name")))));
      } else {
        byte[] form = child.is(DATA, "x") ? form(child) : null;
        if (form == null) {
          return null;
        }
        forms.add(form);
      }
    }
    return joined(List.of(sorted(features), sorted(identities), sorted(forms)));
  }

  private static byte @Nullable [] form(Element form) {
    List<byte[]> fields = new ArrayList<>();
    boolean typed = false;
    for (Element field : form.children()) {
      if (field.is(DATA, "reported") || field.is(DATA, "item")) {
        return null;
      }
      if (!field.is(DATA, "field")) {
        continue;
      }
      List<byte[]> values = new ArrayList<>();
      for (Element value : field.children()) {
        if (value.is(DATA, "value")) {
          values.add(text(value.text()));
        }
      }
      typed |= "FORM_TYPE".equals(field.attribute("var")) && values.size() == 1;
      values.sort(Arrays::compareUnsigned);
      values.addFirst(text(field.attribute("var")));
      fields.add(ended(ENTRY, values));
    }
    fields.sort(Arrays::compareUnsigned);
    return typed ? ended(FORM, fields) : null;
  }

  private static byte[] text(@Nullable String text) {
    byte[] bytes = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
    byte[] ended = Arrays.copyOf(bytes, bytes.length + 1);
    ended[bytes.length] = VALUE;
    return ended;
  }

  private static byte[] sorted(List<byte[]> parts) {
    parts.sort(Arrays::compareUnsigned);
    return ended(PART, parts);
  }

  private static byte[] joined(List<byte[]> parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    parts.forEach(all::writeBytes);
    return all.toByteArray();
  }

  private static byte[] ended(int separator, List<byte[]> parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    parts.forEach(all::writeBytes);
    all.write(separator);
    return all.toByteArray();
  }
}
