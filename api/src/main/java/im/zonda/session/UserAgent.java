package im.zonda.session;

import org.jspecify.annotations.Nullable;

/// The identity that a client gave when it logged in (XEP-0388, section 2.3). Visible to its own
/// account and to administrators only.
///
/// @param id a UUID that stays the same for this installation, in lower case, or null
/// @param software the program's name, or null
/// @param device the name of the machine, or null
public record UserAgent(@Nullable String id, @Nullable String software, @Nullable String device) {
  /// The user agent of a session that was bound by Bind 2 (XEP-0386).
  public static final SessionKey<UserAgent> KEY =
      new SessionKey<>("user-agent", UserAgent.class, UserAgent::write, UserAgent::read);

  /// A client that did not identify itself.
  public static final UserAgent UNKNOWN = new UserAgent(null, null, null);

  private String write() {
    return part(id) + '\n' + part(software) + '\n' + part(device);
  }

  private static UserAgent read(String text) {
    String[] parts = text.split("\n", -1);
    if (parts.length != 3) {
      throw new IllegalArgumentException("not three lines");
    }
    return new UserAgent(orNull(parts[0]), orNull(parts[1]), orNull(parts[2]));
  }

  private static String part(@Nullable String text) {
    return text == null ? "" : text.replace('\n', ' ');
  }

  private static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
