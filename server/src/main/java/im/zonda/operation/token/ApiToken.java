package im.zonda.operation.token;

import im.zonda.hash.HashFunction;
import im.zonda.json.JsonReader;
import im.zonda.json.JsonText;
import im.zonda.operation.Grant;
import im.zonda.operation.Right;
import im.zonda.operation.Role;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A token by which a program administers the server. Its text is not kept, only the SHA-256 of it.
///
/// @param name the name, by which people know it
/// @param hash the SHA-256 of its text, in hexadecimal digits
/// @param grant what its bearer may do
/// @param createdBy who has created it
/// @param created when it was created
/// @param expires when it ends
public record ApiToken(
    String name, String hash, Grant grant, String createdBy, Instant created, Instant expires) {
  /// How the text of each token begins.
  public static final String PREFIX = "zonda_";

  /// The random bytes of a token.
  static final int RANDOM_BYTES = 32;

  private static final int KEY_LENGTH = 16;

  /// The key of a token in the store.
  String key() {
    return key(hash);
  }

  /// The key of a token with that hash, in hexadecimal digits.
  static String key(String hash) {
    return hash.substring(0, KEY_LENGTH);
  }

  /// The hash of the text of a token.
  static byte[] hash(String text) {
    return HashFunction.SHA_256.hash(text);
  }

  /// Whether a text with that hash is the token. Takes the same time for each wrong one.
  boolean matches(byte[] other) {
    return MessageDigest.isEqual(HexFormat.of().parseHex(hash), other);
  }

  /// Whether it has ended.
  public boolean hasExpired(Instant now) {
    return !now.isBefore(expires);
  }

  /// The token as the store has it.
  byte[] bytes() {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    members.put("name", name);
    members.put("hash", hash);
    members.put("role", grant.role().name());
    members.put("hosts", grant.hosts() == null ? null : List.copyOf(new TreeSet<>(grant.hosts())));
    Set<Right> rights = grant.rights();
    members.put("rights", rights == null ? null : rights.stream().map(Right::name).toList());
    members.put("createdBy", createdBy);
    members.put("created", created);
    members.put("expires", expires);
    return JsonText.of(members).getBytes(StandardCharsets.UTF_8);
  }

  /// Reads what [#bytes] has written.
  ///
  /// @throws IllegalArgumentException if it is something else
  static ApiToken of(byte[] bytes) {
    Map<String, @Nullable Object> members =
        JsonReader.object(new String(bytes, StandardCharsets.UTF_8));
    try {
      Set<String> hosts = texts(members.get("hosts"));
      Set<String> rights = texts(members.get("rights"));
      return new ApiToken(
          text(members, "name"),
          text(members, "hash"),
          new Grant(Role.valueOf(text(members, "role")), hosts, rights == null ? null : of(rights)),
          text(members, "createdBy"),
          Instant.parse(text(members, "created")),
          Instant.parse(text(members, "expires")));
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("no time", e);
    }
  }

  /// Rights that no longer exist are left out: a token never has more for them.
  private static Set<Right> of(Set<String> names) {
    Set<Right> rights = EnumSet.noneOf(Right.class);
    for (Right right : Right.values()) {
      if (names.contains(right.name())) {
        rights.add(right);
      }
    }
    return rights;
  }

  private static String text(Map<String, @Nullable Object> members, String name) {
    if (members.get(name) instanceof String text) {
      return text;
    }
    throw new IllegalArgumentException("no " + name);
  }

  private static @Nullable Set<String> texts(@Nullable Object list) {
    return switch (list) {
      case null -> null;
      case List<?> all -> all.stream().map(String::valueOf).collect(Collectors.toSet());
      default -> throw new IllegalArgumentException("no list");
    };
  }
}
