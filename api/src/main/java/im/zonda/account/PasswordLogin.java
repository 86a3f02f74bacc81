package im.zonda.account;

import im.zonda.jid.Jid;
import java.net.InetAddress;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Logins with name and password that come by a page instead of a stream. They have the rules,
/// limits and delays of clients that log in with SASL PLAIN, count with them, and failures are
/// logged as theirs. Any thread may call.
public interface PasswordLogin {
  /// An attempt to log in.
  ///
  /// @param host the domain of the account
  /// @param name what was entered as the name: the local part
  /// @param password what was entered as the password
  /// @param address the address of the requester
  record Attempt(Jid host, String name, String password, InetAddress address) {
    @Override
    public String toString() {
      return "attempt to log in as " + name + " from " + address.getHostAddress();
    }
  }

  /// What became of an attempt.
  sealed interface Result {
    /// The password is that of the account.
    ///
    /// @param account its bare address
    /// @param mark the account's mark ([#mark]) from before the password was looked at
    record Proved(Jid account, String mark) implements Result {}

    /// It is not, or was not looked at.
    record Refused(Reason reason) implements Result {}
  }

  /// Why an attempt was refused.
  enum Reason {
    /// There is no such account, or it has another password.
    WRONG,
    /// The password is right, and the account is disabled.
    DISABLED,
    /// Too many attempts have failed, or are being checked.
    TOO_MANY,
    /// The accounts cannot be read at present.
    UNAVAILABLE
  }

  /// Checks a password. Returns at once; the answer may be delayed, by the same time whether the
  /// password is right or not.
  ///
  /// @param answered called once, unless the server stops before; may block
  void check(Attempt attempt, Consumer<Result> answered);

  /// A short text that stands for the password of an account and reveals nothing about it. Null if
  /// there is no such account, or if it is disabled. Blocks.
  @Nullable String mark(Jid account);

  /// Whether what began with that mark may go on: false once the password was changed, or the
  /// account was disabled or removed, also if it has been enabled or created again. Blocks.
  boolean isCurrent(Jid account, String mark);
}
