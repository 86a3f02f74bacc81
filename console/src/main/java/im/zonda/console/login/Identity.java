package im.zonda.console.login;

import im.zonda.jid.Jid;
import im.zonda.operation.Grant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Someone who has signed in, and by what.
public sealed interface Identity {
  /// By which what they do is recorded.
  String name();

  /// The word for the way of signing in.
  Way way();

  /// The account; null if it is none.
  @Nullable Jid account();

  /// The ways of signing in.
  enum Way {
    LINK,
    PASSWORD,
    PASSKEY,
    SSO
  }

  /// The bearer of a link.
  ///
  /// @param grant what the one who has made it may do
  record ByLink(String name, Grant grant) implements Identity {
    @Override
    public Way way() {
      return Way.LINK;
    }

    @Override
    public @Nullable Jid account() {
      return null;
    }
  }

  /// An administrator of hosts with the password of the account.
  ///
  /// @param mark what the account had when the password was proved
  ///   ([im.zonda.account.PasswordLogin#mark])
  record ByPassword(Jid account, String mark) implements Identity {
    @Override
    public String name() {
      return account.toString();
    }

    @Override
    public Way way() {
      return Way.PASSWORD;
    }
  }

  /// Someone whom an issuer knows.
  ///
  /// @param person by which name; beside those of accounts, as the issuer gives them out
  /// @param values those of the claim that give a role
  record BySso(String person, List<String> values) implements Identity {
    /// Before the names of people whom an issuer knows.
    static final String PREFIX = "sso:";

    /// Copies the list.
    public BySso {
      values = List.copyOf(values);
    }

    @Override
    public String name() {
      return PREFIX + person;
    }

    @Override
    public Way way() {
      return Way.SSO;
    }

    @Override
    public @Nullable Jid account() {
      return null;
    }
  }

  /// An administrator of hosts with a passkey of the account.
  ///
  /// @param mark what the account had when the passkey was proved
  record ByPasskey(Jid account, String mark) implements Identity {
    @Override
    public String name() {
      return account.toString();
    }

    @Override
    public Way way() {
      return Way.PASSKEY;
    }
  }
}
