package im.zonda.bench.xmpp;

import org.jspecify.annotations.Nullable;

/// The name, password and mechanism with which a client logs in.
///
/// @param user the part of the address before the `@`
/// @param password the password
/// @param resource what is asked for
/// @param mechanism how it authenticates
/// @param presence whether it sends initial presence
/// @param management whether it enables stream management (XEP-0198)
/// @param resumed the session that it resumes instead of binding a resource; null if none
/// @param inline how it logs in and binds in one step; null if it does so step by step (RFC 6120)
public record Login(
    String user,
    String password,
    String resource,
    Mechanism mechanism,
    boolean presence,
    boolean management,
    @Nullable Resumption resumed,
    @Nullable Inline inline) {
  /// A SASL mechanism.
  public enum Mechanism {
    /// The password itself (RFC 4616).
    PLAIN("PLAIN"),
    /// RFC 5802.
    SCRAM_SHA_1("SCRAM-SHA-1"),
    /// RFC 7677.
    SCRAM_SHA_256("SCRAM-SHA-256");

    private final String word;

    Mechanism(String word) {
      this.word = word;
    }

    /// The registered name.
    public String word() {
      return word;
    }

    /// The mechanism with that registered name, in any case.
    ///
    /// @throws IllegalArgumentException if there is none
    public static Mechanism of(String word) {
      for (Mechanism each : values()) {
        if (each.word.equalsIgnoreCase(word)) {
          return each;
        }
      }
      throw new IllegalArgumentException(
          word + " is no mechanism: PLAIN, SCRAM-SHA-1, SCRAM-SHA-256");
    }
  }

  /// What resumes a session (XEP-0198).
  ///
  /// @param id the server's word for it
  /// @param handled the client's count
  public record Resumption(String id, long handled) {}

  /// Login and binding in one step (XEP-0388, XEP-0386), perhaps by a token (XEP-0484).
  ///
  /// @param token what the server gave before; empty if the client proves the password
  /// @param wantsToken whether the client asks for a token
  public record Inline(String token, boolean wantsToken) {}

  /// A login by SCRAM-SHA-1 with initial presence, without stream management.
  public static Login of(String user, String password) {
    return new Login(user, password, "bench", Mechanism.SCRAM_SHA_1, true, false, null, null);
  }

  /// The same with another mechanism.
  public Login with(Mechanism other) {
    return new Login(user, password, resource, other, presence, management, resumed, inline);
  }

  /// The same with another resource.
  public Login withResource(String other) {
    return new Login(user, password, other, mechanism, presence, management, resumed, inline);
  }

  /// The same without initial presence.
  public Login withoutPresence() {
    return new Login(user, password, resource, mechanism, false, management, resumed, inline);
  }

  /// The same with stream management.
  public Login managed() {
    return new Login(user, password, resource, mechanism, presence, true, resumed, inline);
  }

  /// A login that resumes a session.
  public Login resuming(Resumption session) {
    return new Login(user, password, resource, mechanism, false, true, session, null);
  }

  /// The same in one step.
  public Login inline(Inline way) {
    return new Login(user, password, resource, mechanism, presence, management, resumed, way);
  }
}
