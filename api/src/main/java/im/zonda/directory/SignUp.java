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
    ///
    /// @param contact the inviter, who becomes a contact; null if there is none
    record Created(Jid account, @Nullable Jid contact) implements Result {}

    /// No account was created.
    record Refused(Reason reason) implements Result {}
  }

  /// Why no account was created.
  enum Reason {
    /// Accounts are not created here, or only by invitation.
    CLOSED,
    /// The invitation has expired or been used.
    NO_INVITATION,
    /// Too many attempts from that address.
    TOO_MANY,
    /// The name is empty.
    NAME_EMPTY,
    /// The name has white space.
    NAME_SPACE,
    /// The name has an `@`: it is a whole address.
    NAME_AT,
    /// The name has another character that the local part of an address cannot have.
    NAME_CHARACTER,
    /// The name is longer than the local part of an address may be.
    NAME_TOO_LONG,
    /// The invitation is for another name.
    NAME_OTHER,
    /// Someone has that name.
    NAME_TAKEN,
    /// An invitation has reserved the name for someone else.
    NAME_RESERVED,
    /// The password is empty.
    PASSWORD_EMPTY,
    /// The password has fewer characters than [SignUp#minPasswordLength].
    PASSWORD_TOO_SHORT,
    /// The password is longer than a password may be.
    PASSWORD_TOO_LONG,
    /// The password has a character that a password cannot have.
    PASSWORD_CHARACTER,
    /// Attackers try the password first.
    PASSWORD_COMMON,
    /// The password is the name.
    PASSWORD_NAME,
    /// The answer to the question is wrong.
    WRONG_ANSWER
  }

  /// What can be said of a name before the form is sent.
  sealed interface NameCheck {
    /// The account can be created now.
    record Free() implements NameCheck {}

    /// It cannot be created.
    record Unfit(Reason reason) implements NameCheck {}

    /// The name is valid; whether someone has it is not said.
    record Unknown() implements NameCheck {}
  }

  /// Whether anyone may create an account, without an invitation.
  boolean isOpen();

  /// The invitation with a token; null if there is none, or if the address has tried too many
  /// tokens. Blocks.
  ///
  /// @param address the address of the requester
  @Nullable OpenInvitation find(String token, InetAddress address);

  /// The minimum number of characters of a password.
  int minPasswordLength();

  /// The question that has to be answered without an invitation; null if there is none.
  @Nullable String question();

  /// Checks a name for someone who could create an account now. What it says of other accounts is
  /// what [#signUp] would say, and it is limited likewise. Blocks.
  ///
  /// @param token of an invitation, or null
  /// @param address the address of the requester
  NameCheck checkName(@Nullable String token, String username, InetAddress address);

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
