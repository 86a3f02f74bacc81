package im.zonda.console.login;

import java.time.Instant;

/// Someone who has signed in. Mutable; guarded by [AdminSessions].
final class AdminSession {
  private final String id;
  private final String key;
  private final Identity identity;
  private final String address;
  private final Instant began;
  private Instant used;

  /// @param id by which others name it
  /// @param key the hash of its token
  AdminSession(String id, String key, Identity identity, String address, Instant began) {
    this.id = id;
    this.key = key;
    this.identity = identity;
    this.address = address;
    this.began = began;
    this.used = began;
  }

  String id() {
    return id;
  }

  String key() {
    return key;
  }

  Identity identity() {
    return identity;
  }

  String address() {
    return address;
  }

  Instant began() {
    return began;
  }

  Instant used() {
    return used;
  }

  void use(Instant now) {
    used = now;
  }

  boolean hasEnded(Instant now) {
    return !now.isBefore(used.plus(AdminSessions.IDLE))
        || !now.isBefore(began.plus(AdminSessions.LONGEST));
  }
}
