package im.zonda.session;

import org.jspecify.annotations.Nullable;

/// What a client has told of itself when it logged in (XEP-0388, section 2.3). For its own account
/// only; nobody else may learn it.
///
/// @param id a UUID that stays the same for this installation, in lower case; null if it gave none
/// @param software the program's name, or null
/// @param device the name of the machine, or null
public record UserAgent(@Nullable String id, @Nullable String software, @Nullable String device) {
  /// The user agent of a session that was bound by XEP-0386.
  public static final SessionKey<UserAgent> KEY = new SessionKey<>("user agent", UserAgent.class);

  /// A client that has told nothing.
  public static final UserAgent UNKNOWN = new UserAgent(null, null, null);
}
