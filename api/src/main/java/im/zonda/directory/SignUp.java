package im.zonda.directory;

import im.zonda.jid.Jid;
import java.net.InetAddress;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Creates accounts of a virtual host for people who fill in a form, under the same rules and
/// limits as in-band registration (XEP-0077).
public interface SignUp {
  /// An invitation that can be used.
  ///
  /// @param uri what a client opens (XEP-0379, XEP-0401)
  /// @param inviter the account that made it; null if it was the host
  /// @param registers whether an account may be created with it
  /// @param username the local part that the new account must have; null for any
  /// @param expiry when it ends
  record OpenInvitation(
      String uri,
      @Nullable Jid inviter,
      boolean registers,
      @Nullable String username,
      Instant expiry) {}

  /// What became of a form.
  sealed interface Result {
    /// The account exists now.
    record Created(Jid account) implements Result {}

    /// No account was created.
    record Refused(Reason reason) implements Result {}
  }

  /// Why no account was created.
  enum Reason {
    /// Accounts are not created here, or only by invitation.
    CLOSED,
    /// The invitation has expired or been used.
    NO_INVITATION,
    /// The name or the password is empty or not valid.
    NOT_VALID,
    /// Someone has that name.
    TAKEN,
    /// The answer to the question is wrong.
    WRONG_ANSWER,
    /// Too many attempts from that address.
    TOO_MANY
  }

  /// Whether anyone may create an account, without an invitation.
  boolean isOpen();

  /// The invitation with a token; null if there is none, or if the address has tried too many
  /// tokens. Blocks.
  ///
  /// @param address the address of the requester
  @Nullable OpenInvitation find(String token, InetAddress address);

  /// The question that has to be answered without an invitation; null if there is none.
  @Nullable String question();

  /// What someone has entered.
  ///
  /// @param token of an invitation, or null
  /// @param answer to the question; empty if there was none
  record Form(@Nullable String token, String username, String password, String answer) {}

  /// Creates an account. Blocks.
  ///
  /// @param address the address of the requester
  Result signUp(Form form, InetAddress address);
}
